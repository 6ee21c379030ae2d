package org.ulfmj.check.uniform;

import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/**
 * A rank that returns from a uniform agreement has marked failed all processes that the two decisions of the call list,
 * so that its program can ask which processes failed.
 */
final class ListedProcessesAreMarked implements Invariant {
    private final Returns returns;
    private int seen;

    ListedProcessesAreMarked(Returns returns) {
        this.returns = returns;
    }

    @Override
    public void afterStep(SimProcess<?, ?> process) {
        for (; seen < returns.all().size(); seen++) {
            Returns.Return one = returns.all().get(seen);
            if (!one.known().containsAll(one.listed())) {
                throw new Violation(name() + ": " + one + ", of whom it knows only " + one.known());
            }
        }
    }
}
