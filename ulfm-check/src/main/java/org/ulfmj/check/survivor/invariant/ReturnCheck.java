package org.ulfmj.check.survivor.invariant;

import java.util.List;
import org.ulfmj.check.survivor.Journal;
import org.ulfmj.check.survivor.LiveRanks;
import org.ulfmj.check.survivor.SurvivorRank;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/** An invariant about single returns from agreement calls, which checks each return once, when it happens. */
abstract class ReturnCheck implements Invariant {
    private final List<SurvivorRank> ranks;
    private final Journal journal;
    private final LiveRanks live;
    private int seen;

    ReturnCheck(List<SurvivorRank> ranks, Journal journal, LiveRanks live) {
        this.ranks = ranks;
        this.journal = journal;
        this.live = live;
    }

    @Override
    public final void afterStep(SimProcess<?, ?> process) {
        while (seen < journal.returns().size()) {
            Journal.Return returned = journal.returns().get(seen++);
            String wrong = wrongWith(returned, ranks.get(returned.slot()));
            if (wrong != null) {
                throw new Violation(name() + ": " + returned.agreement() + " at " + ranks.get(returned.slot())
                        + " returned " + returned.decision() + ": " + wrong);
            }
        }
    }

    final List<SurvivorRank> ranks() {
        return ranks;
    }

    final Journal journal() {
        return journal;
    }

    final LiveRanks live() {
        return live;
    }

    final boolean isLive(SurvivorRank rank) {
        return live.contains(rank.id().slot());
    }

    /** Returns what is wrong with a return, for the text of a {@link org.ulfmj.sim.Violation}; null if nothing is. */
    abstract String wrongWith(Journal.Return returned, SurvivorRank rank);
}
