package org.ulfmj.check.survivor.invariant;

import java.util.List;
import org.ulfmj.check.survivor.Journal;
import org.ulfmj.check.survivor.LiveRanks;
import org.ulfmj.check.survivor.SurvivorRank;

/** An agreement call of a rank returns one decision only: no later or repeated message gives it another. */
final class EveryCallIsDecidedOnce extends ReturnCheck {
    EveryCallIsDecidedOnce(List<SurvivorRank> ranks, Journal journal, LiveRanks live) {
        super(ranks, journal, live);
    }

    @Override
    String wrongWith(Journal.Return returned, SurvivorRank rank) {
        int times = returned.agreement().timesDecided(returned.slot());
        return times == 1 ? null : "that makes " + times + " decisions of one call";
    }
}
