package org.ulfmj.check.survivor.invariant;

import java.util.List;
import org.ulfmj.check.survivor.SurvivorRank;
import org.ulfmj.sim.Invariant;

/**
 * Termination: every rank that runs comes to the end of its program, and if that is Finalize, it ends. No process
 * hangs.
 */
record EveryRankFinishes(List<SurvivorRank> ranks, boolean finalizes) implements Invariant {
    @Override
    public String open() {
        for (SurvivorRank rank : ranks) {
            if (rank.isRunning() && !rank.hasFinished()) {
                return rank + " waits for " + rank.waitsFor();
            }
            if (rank.isRunning() && finalizes) {
                return rank + " has finalized and does not end";
            }
        }
        return null;
    }
}
