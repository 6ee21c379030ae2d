package org.ulfmj.agree;

import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;

/** What a {@link SurvivorCore} asks of whoever drives it; called last in a step, after the step's messages. */
public interface Effects {
    /** The process is dead on certain evidence: hand over what had arrived from it, then call {@code onDrained}. */
    void drain(ProcessId process);

    /** The process is marked failed: dispatch nothing of it any more, fail what waits for it. */
    void failed(ProcessId process, Evidence evidence);

    /** The process has said goodbye. */
    void departed(ProcessId process);

    /** The communicator is revoked. */
    void revoked(long communicator);

    /** An agreement that this rank entered is decided. */
    void decided(long communicator, long sequence, Decision decision);

    /** This process is held for failed by others, or must hold itself for failed: it ends. */
    void fenced(String reason);
}
