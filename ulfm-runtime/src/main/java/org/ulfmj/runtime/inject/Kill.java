package org.ulfmj.runtime.inject;

import java.util.Optional;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.options.FaultTrigger;

/**
 * One death of a plan, with nothing left to chance.
 *
 * @param number in the plan, from 1; the process names it to the launcher when its moment has come
 * @param rank the rank that dies
 * @param incarnation which process of the rank; {@link FaultTrigger#EVERY_INCARNATION} for each
 * @param moment when; nothing that is to be drawn
 */
public record Kill(int number, int rank, int incarnation, Moment moment) {
    /** Returns the point at which the process itself has to stop; empty if the launcher's clock decides. */
    public Optional<FaultTrigger> trigger() {
        if (moment instanceof Moment.AtOperation at) {
            return trigger(at.operation(), at.count());
        }
        if (moment instanceof Moment.AtIteration at) {
            return trigger(FaultTrigger.ITERATION, at.level());
        }
        if (moment instanceof Moment.AtPoint at) {
            return trigger(FaultTrigger.atPoint(at.name()), at.count());
        }
        if (moment instanceof Moment.AtPosition at) {
            return trigger(FaultTrigger.atPosition(at.version(), at.sequence()), 1);
        }
        if (moment instanceof Moment.AtByte at) {
            return trigger(FaultTrigger.SENT_BYTES, at.sentBytes());
        }
        return Optional.empty();
    }

    private Optional<FaultTrigger> trigger(String operation, long count) {
        return Optional.of(new FaultTrigger(number, operation, count, incarnation));
    }

    /** Whether the kill is for every process of its rank, and so also hits those that take a dead one's place. */
    public boolean isForEvery() {
        return incarnation == FaultTrigger.EVERY_INCARNATION;
    }

    /** Whether the kill is for this process. */
    public boolean isFor(ProcessId process) {
        return process.slot() == rank && (isForEvery() || process.incarnation() == incarnation);
    }

    /** Returns the kill as a user would write it. */
    @Override
    public String toString() {
        String which = incarnation == 0 ? "" : ",inc=" + (isForEvery() ? "*" : incarnation);
        return "kill:rank=" + rank + which + "@" + moment;
    }
}
