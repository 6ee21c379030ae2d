package org.ulfmj.check.replace.invariant;

import org.ulfmj.check.replace.NotReplacedLog;
import org.ulfmj.check.replace.ReplaceRank;
import org.ulfmj.check.replace.ReplaceWorld;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/**
 * P3: two live ranks that return from one replace because slots stayed empty name the same missing slots. At rest, no
 * live rank of incarnation 0 is in a later epoch than a live rank that has returned from a replace so.
 */
final class LiveRanksReturnAlike implements Invariant {
    private final ReplaceWorld world;

    LiveRanksReturnAlike(ReplaceWorld world) {
        this.world = world;
    }

    private int seen;

    @Override
    public void afterStep(SimProcess<?, ?> process) {
        var returns = world.outcomes().returns();
        for (; seen < returns.size(); seen++) {
            NotReplacedLog.Return later = returns.get(seen);
            for (NotReplacedLog.Return earlier : returns.subList(0, seen)) {
                boolean differs = earlier.isOfTheSameCallAs(later)
                        && !earlier.outcome().missing().equals(later.outcome().missing());
                if (differs && world.isLive(earlier.rank()) && world.isLive(later.rank())) {
                    throw new Violation(name() + ": " + earlier + "; " + later);
                }
            }
        }
    }

    @Override
    public String open() {
        for (NotReplacedLog.Return failed : world.outcomes().returns()) {
            for (ReplaceRank other : world.members()) {
                boolean wentOn = other.admission() != null
                        && failed.rank().membership().epoch()
                                < other.membership().epoch()
                        && !other.isNewcomer();
                if (wentOn && world.isLive(failed.rank()) && world.isLive(other)) {
                    return failed + ", and " + other + " is in " + other.admission();
                }
            }
        }
        return null;
    }
}
