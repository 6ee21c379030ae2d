package org.ulfmj.check.uniform;

import java.util.List;
import org.ulfmj.sim.Invariant;

/** Termination: every rank that runs comes to the end of its program. */
record EveryLiveRankReturns(List<UniformRank> ranks) implements Invariant {
    @Override
    public String open() {
        for (UniformRank rank : ranks) {
            if (rank.isRunning() && !rank.hasFinished()) {
                return rank + " waits for " + rank.waitsFor();
            }
        }
        return null;
    }
}
