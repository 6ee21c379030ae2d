package org.ulfmj.runtime.recovery;

import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;

/**
 * The consequences, at this rank, of what the protocols find out about processes and communicators: what depends on
 * them is ended. Called in the middle of a protocol step, under the engine lock.
 */
public interface VerdictListener {
    /**
     * The process is marked failed: operations that depend on it end, and frames that come from it from now on are
     * ignored, except control messages.
     */
    void onFailed(ProcessId process, Evidence evidence);

    /** The process has said goodbye. */
    void onDeparted(ProcessId process);

    /**
     * The process has died while this rank leaves: this rank does not wait until its own messages have arrived at that
     * process.
     */
    void onEnded(ProcessId process);

    void onRevoked(long communicator);

    /**
     * A communicator is revoked that may not exist at this rank (yet, or ever): the frames that are held for it are
     * dropped.
     */
    void dropHeld(long communicator);

    /**
     * Another world is in force: a process whose slot now has another process is forgotten, unless a communicator has
     * it as a member.
     */
    void onWorld(Membership world);
}
