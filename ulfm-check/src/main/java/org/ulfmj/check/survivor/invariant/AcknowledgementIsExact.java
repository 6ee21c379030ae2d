package org.ulfmj.check.survivor.invariant;

import java.util.List;
import org.ulfmj.check.survivor.Journal;
import org.ulfmj.check.survivor.LiveRanks;
import org.ulfmj.check.survivor.SurvivorRank;
import org.ulfmj.protocol.SlotSet;

/**
 * A decision raises the error of a failed process exactly if some contributor had not acknowledged some member that the
 * decision lists as failed. Decisions of Finalize are not checked.
 */
final class AcknowledgementIsExact extends ReturnCheck {
    AcknowledgementIsExact(List<SurvivorRank> ranks, Journal journal, LiveRanks live) {
        super(ranks, journal, live);
    }

    @Override
    String wrongWith(Journal.Return returned, SurvivorRank rank) {
        if (Journal.isFarewell(returned.decision())) {
            return null;
        }
        SlotSet acknowledgedByAll = SlotSet.ALL;
        for (int slot : returned.agreement().contributors(returned.decision()).toArray()) {
            acknowledgedByAll = acknowledgedByAll.intersection(
                    returned.agreement().entries().get(slot).contribution().acknowledged());
        }
        boolean expected = !acknowledgedByAll.containsAll(returned.decision().failed());
        return expected == returned.decision().failureUnacknowledged()
                ? null
                : "all contributors have acknowledged " + acknowledgedByAll;
    }
}
