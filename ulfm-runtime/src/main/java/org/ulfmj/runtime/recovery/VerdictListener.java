package org.ulfmj.runtime.recovery;

import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;

/**
 * What the protocols find out of processes and communicators, told to what depends on them. Called in the middle of a
 * step of the protocols, under the engine lock.
 */
public interface VerdictListener {
    /** The process is marked failed: what depends on it ends, and nothing of it is looked at any more. */
    void onFailed(ProcessId process, Evidence evidence);

    /** The process has said goodbye. */
    void onDeparted(ProcessId process);

    /** The process is dead while this rank leaves: this rank does not wait until its messages arrive there. */
    void onEnded(ProcessId process);

    void onRevoked(long communicator);

    /**
     * A communicator, which may not exist here, is revoked, perhaps before it exists, perhaps for good: the frames that
     * are held for it are dropped.
     */
    void dropHeld(long communicator);

    /**
     * Another world is in force: processes whose slot has another process in it are forgotten, unless a communicator
     * has them as members.
     */
    void onWorld(Membership world);
}
