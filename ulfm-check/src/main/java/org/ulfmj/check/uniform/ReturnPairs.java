package org.ulfmj.check.uniform;

import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/** An invariant about two returns of the same call. It checks each pair once, when the later return happens. */
abstract class ReturnPairs implements Invariant {
    private final Returns returns;
    private int seen;

    ReturnPairs(Returns returns) {
        this.returns = returns;
    }

    @Override
    public final void afterStep(SimProcess<?, ?> process) {
        for (; seen < returns.all().size(); seen++) {
            Returns.Return later = returns.all().get(seen);
            for (Returns.Return earlier : returns.all().subList(0, seen)) {
                String wrong = earlier.isOfTheSameCallAs(later) ? wrongWith(earlier, later) : null;
                if (wrong != null) {
                    throw new Violation(name() + ": " + earlier + "; " + later + ": " + wrong);
                }
            }
        }
    }

    /** Returns what is wrong with two returns of one call; null if nothing is. */
    abstract String wrongWith(Returns.Return earlier, Returns.Return later);
}
