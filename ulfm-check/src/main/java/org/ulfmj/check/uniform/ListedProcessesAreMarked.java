package org.ulfmj.check.uniform;

import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/**
 * A rank that returns has marked failed all processes that the two decisions of its call list, so that its program can
 * ask for them.
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
