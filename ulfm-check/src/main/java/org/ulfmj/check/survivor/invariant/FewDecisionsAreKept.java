package org.ulfmj.check.survivor.invariant;

import java.util.List;
import org.ulfmj.check.survivor.Journal;
import org.ulfmj.check.survivor.LiveRanks;
import org.ulfmj.check.survivor.SurvivorRank;

/**
 * The number of decisions of one communicator that a rank keeps for later questions does not grow: it is at most one
 * more than the most agreements that overlap.
 */
final class FewDecisionsAreKept extends ReturnCheck {
    private final int most;

    /** @param mostOpen the most agreements of one communicator that overlap */
    FewDecisionsAreKept(List<SurvivorRank> ranks, Journal journal, LiveRanks live, int mostOpen) {
        super(ranks, journal, live);
        this.most = mostOpen + 1;
    }

    @Override
    String wrongWith(Journal.Return returned, SurvivorRank rank) {
        if (Journal.isFarewell(returned.decision())) {
            return null;
        }
        int kept = rank.core().agreements().storedDecisions(returned.agreement().communicator());
        return kept > most ? kept + " decisions are kept, not " + most : null;
    }
}
