package org.ulfmj.agree;

import java.util.Collection;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;

/**
 * What a {@link SurvivorCore} asks of whoever drives it. All but {@link #peersWithSession} are called last in a step,
 * after the step's messages, in the order in which things happened; a callback may call the core again.
 */
public interface Effects {
    /** The process is dead on certain evidence: hand over what had arrived from it, then call {@code onDrained}. */
    void drain(ProcessId process);

    /** The process is marked failed: dispatch nothing of it any more, fail what waits for it. */
    void failed(ProcessId process, Evidence evidence);

    /** The process has said goodbye. */
    void departed(ProcessId process);

    /** The communicator is revoked. Called once, and not before it was registered. */
    void revoked(long communicator);

    /**
     * An agreement that this rank entered is decided; with one rank left, while it enters. A decision of nothing but
     * Finalize means that this rank leaves: what was sent so far, the goodbyes included, is to be handed over, and then
     * the launcher is told.
     */
    void decided(long communicator, long sequence, Decision decision);

    /** This process is held for failed by others, or must hold itself for failed: it ends. The last call. */
    void fenced(String reason);

    /**
     * Asked in the middle of the step that finalizes: all processes with which a lane or link is open. They are told
     * goodbye besides the neighbours in the overlay, or they would take this rank's end for a failure.
     */
    Collection<ProcessId> peersWithSession();
}
