package org.ulfmj.check.survivor.invariant;

import java.util.List;
import org.ulfmj.check.survivor.Journal;
import org.ulfmj.check.survivor.LiveRanks;
import org.ulfmj.check.survivor.SurvivorRank;
import org.ulfmj.protocol.SlotSet;

/**
 * A member that a contributor had marked failed when it called is listed in the decision, so a shrunk communicator is
 * without it; decisions of Finalize are excepted. No decision lists the rank where it returned. A member that it lists
 * is marked failed at that rank, unless the rank is leaving.
 */
final class KnownFailuresAreListed extends ReturnCheck {
    KnownFailuresAreListed(List<SurvivorRank> ranks, Journal journal, LiveRanks live) {
        super(ranks, journal, live);
    }

    @Override
    String wrongWith(Journal.Return returned, SurvivorRank rank) {
        SlotSet listed = returned.decision().failed();
        if (listed.contains(returned.slot())) {
            return "it lists the rank itself";
        }
        for (int slot : listed.toArray()) {
            if (!rank.core().isLeaving() && !rank.failures().hasFailed(rank.idOf(slot))) {
                return "process " + slot + " is not held for failed there";
            }
        }
        if (Journal.isFarewell(returned.decision())) {
            return null;
        }
        for (int slot : returned.agreement().contributors(returned.decision()).toArray()) {
            SlotSet before = returned.agreement().entries().get(slot).failedBefore();
            if (!listed.containsAll(before)) {
                return "process " + slot + " had known " + before + " when it called";
            }
        }
        return null;
    }
}
