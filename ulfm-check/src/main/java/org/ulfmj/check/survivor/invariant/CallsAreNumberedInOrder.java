package org.ulfmj.check.survivor.invariant;

import org.ulfmj.check.survivor.Journal;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/**
 * The calls of agreements by one rank on one communicator get the numbers 1, 2, 3 and so on without a gap, even while
 * earlier calls are still open.
 */
final class CallsAreNumberedInOrder implements Invariant {
    private final Journal journal;
    private int seen;

    CallsAreNumberedInOrder(Journal journal) {
        this.journal = journal;
    }

    @Override
    public void afterStep(SimProcess<?, ?> process) {
        while (seen < journal.calls().size()) {
            Journal.Call call = journal.calls().get(seen++);
            if (call.agreement().sequence() != call.before() + 1) {
                throw new Violation(name() + ": call " + (call.before() + 1) + " of process " + call.slot() + " is "
                        + call.agreement());
            }
        }
    }
}
