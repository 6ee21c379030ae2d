package org.ulfmj.check.survivor.invariant;

import java.util.List;
import org.ulfmj.check.survivor.Journal;
import org.ulfmj.check.survivor.SurvivorRank;
import org.ulfmj.sim.Invariant;

/**
 * A process that a decision of a running rank, one that is not leaving, lists as failed has ended when the schedule
 * ends: it does not live on among the others.
 */
record ListedAsFailedMeansEnded(List<SurvivorRank> ranks, Journal journal) implements Invariant {
    @Override
    public String open() {
        for (Journal.Return returned : journal.returns()) {
            if (!ranks.get(returned.slot()).isWatching()) {
                continue;
            }
            for (int slot : returned.decision().failed().toArray()) {
                if (ranks.get(slot).isRunning()) {
                    return ranks.get(slot) + " runs, but a decision of " + ranks.get(returned.slot()) + " lists it";
                }
            }
        }
        return null;
    }
}
