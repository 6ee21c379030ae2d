package org.ulfmj.check.survivor.invariant;

import org.ulfmj.check.survivor.Journal;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/**
 * The calls of a rank on one communicator are numbered without a gap, each once, even while earlier ones are still
 * open.
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
