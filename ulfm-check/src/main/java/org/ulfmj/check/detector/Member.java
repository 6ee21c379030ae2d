package org.ulfmj.check.detector;

import org.ulfmj.detector.FailureSet;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.SimProcess;

/** A process of a simulated world, as faults and invariants see it. */
public interface Member {
    ProcessId id();

    SimProcess<?, ?> process();

    FailureSet failures();

    /** The launcher tells this process that another has ended. */
    void learnOfEnd(Member ended);

    /** This process marks another one failed, which runs. */
    void suspect(ProcessId other);

    default boolean isRunning() {
        return process().isRunning();
    }

    /** Whether the process runs and still watches the others. A process that leaves does not. */
    default boolean isWatching() {
        return isRunning();
    }

    /** Whether the launcher has the process's goodbye, so that its end is no failure. */
    default boolean hasLeft() {
        return false;
    }
}
