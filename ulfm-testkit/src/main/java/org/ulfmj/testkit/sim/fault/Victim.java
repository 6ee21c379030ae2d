package org.ulfmj.testkit.sim.fault;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.options.FaultTrigger;

/**
 * The target of a fault: a rank, and which of the processes that hold it one after another.
 *
 * @param incarnation from 0; {@link FaultTrigger#EVERY_INCARNATION} is each of them
 */
public record Victim(int rank, int incarnation) {
    /** The rank's first process. */
    public static Victim first(int rank) {
        return new Victim(rank, 0);
    }

    public boolean is(ProcessId process) {
        return process.slot() == rank
                && (incarnation == FaultTrigger.EVERY_INCARNATION || incarnation == process.incarnation());
    }

    /** As a rule has it, without what is usual. */
    @Override
    public String toString() {
        String which = incarnation == FaultTrigger.EVERY_INCARNATION ? "*" : Integer.toString(incarnation);
        return "rank=" + rank + (incarnation == 0 ? "" : ",inc=" + which);
    }
}
