package org.ulfmj.check.survivor.invariant;

import java.util.List;
import org.ulfmj.check.survivor.Journal;
import org.ulfmj.check.survivor.LiveRanks;
import org.ulfmj.check.survivor.SurvivorRank;
import org.ulfmj.protocol.SlotSet;

/**
 * Validity: a decision of a live rank combines contributions of members that called, among them every live member; and
 * it lists all members whose contribution is missing. Decisions of Finalize are not checked.
 */
final class EveryLiveVoteCounts extends ReturnCheck {
    EveryLiveVoteCounts(List<SurvivorRank> ranks, Journal journal, LiveRanks live) {
        super(ranks, journal, live);
    }

    @Override
    String wrongWith(Journal.Return returned, SurvivorRank rank) {
        if (Journal.isFarewell(returned.decision()) || !isLive(rank)) {
            return null;
        }
        SlotSet contributors = returned.agreement().contributors(returned.decision());
        int live = live().bits();
        for (int slot : returned.agreement().members().toArray()) {
            if ((live & 1 << slot) != 0 && !contributors.contains(slot)) {
                return "live " + ranks().get(slot) + " is missing in it";
            }
        }
        for (int slot : contributors.toArray()) {
            if (!returned.agreement().entries().containsKey(slot)) {
                return "process " + slot + " is in it, but never called";
            }
        }
        for (int slot : returned.agreement().members().toArray()) {
            if (!contributors.contains(slot) && !returned.decision().failed().contains(slot)) {
                return "process " + slot + " is missing in it, but not listed as failed";
            }
        }
        return null;
    }
}
