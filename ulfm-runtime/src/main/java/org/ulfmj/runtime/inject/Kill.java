package org.ulfmj.runtime.inject;

import java.util.Optional;
import org.ulfmj.runtime.FaultTrigger;

/**
 * One death of a plan, with nothing left to chance.
 *
 * @param number in the plan, from 1; the process names it when it got there
 * @param rank who dies
 * @param moment when; nothing that is to be drawn
 */
public record Kill(int number, int rank, Moment moment) {
    /** What the process itself has to watch for; empty if the launcher's clock decides. */
    public Optional<FaultTrigger> trigger() {
        if (moment instanceof Moment.AtOperation at) {
            return Optional.of(new FaultTrigger(number, at.operation(), at.count()));
        }
        if (moment instanceof Moment.AtIteration at) {
            return Optional.of(new FaultTrigger(number, FaultTrigger.ITERATION, at.level()));
        }
        return Optional.empty();
    }

    /** As the user would write it. */
    @Override
    public String toString() {
        return "kill:rank=" + rank + "@" + moment;
    }
}
