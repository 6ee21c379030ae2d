package org.ulfmj.check.detector;

import org.ulfmj.detector.FailureSet;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.SimProcess;

/** A process of a simulated world, as faults and invariants see it. */
public interface Member {
    ProcessId id();

    SimProcess<?, ?> process();

    FailureSet failures();

    /** Tells this process, as the launcher does, that another one has ended. */
    void learnOfEnd(Member ended);

    /** Makes this process mark another one failed, although the other one runs. */
    void suspect(ProcessId other);

    default boolean isRunning() {
        return process().isRunning();
    }

    /** Whether the process runs and watches the others. By default, whether it runs. */
    default boolean isWatching() {
        return isRunning();
    }

    /** Whether the process has said goodbye, so that its end is no failure. */
    default boolean hasLeft() {
        return false;
    }
}
