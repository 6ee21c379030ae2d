package org.ulfmj.testkit.sim.fault;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.options.FaultTrigger;

/**
 * The target of a fault: a rank and an incarnation.
 *
 * @param incarnation from 0; {@link FaultTrigger#EVERY_INCARNATION} for all of them
 */
public record Victim(int rank, int incarnation) {
    /** Incarnation 0 of a rank. */
    public static Victim first(int rank) {
        return new Victim(rank, 0);
    }

    public boolean is(ProcessId process) {
        return process.slot() == rank
                && (incarnation == FaultTrigger.EVERY_INCARNATION || incarnation == process.incarnation());
    }

    /** The target in the syntax of rules. Incarnation 0 is left out. */
    @Override
    public String toString() {
        String which = incarnation == FaultTrigger.EVERY_INCARNATION ? "*" : Integer.toString(incarnation);
        return "rank=" + rank + (incarnation == 0 ? "" : ",inc=" + which);
    }
}
