package org.ulfmj.sim.survivor;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.SlotSet;

/**
 * Who is bound by the promises at this moment: ranks that run, that no running rank holds for failed, and that no
 * decision of a running rank lists. An excluded rank may differ from the others until it has fenced itself.
 */
final class LiveRanks {
    private LiveRanks() {}

    static List<SimRank> of(List<SimRank> ranks, Journal journal) {
        SlotSet excluded = SlotSet.EMPTY;
        for (SimRank rank : ranks) {
            if (rank.isRunning()) {
                for (var failed : rank.failures().failedInOrder()) {
                    excluded = excluded.with(failed.slot());
                }
            }
        }
        for (Journal.Return returned : journal.returns()) {
            if (ranks.get(returned.slot()).isRunning()) {
                excluded = excluded.union(returned.decision().failed());
            }
        }
        List<SimRank> live = new ArrayList<>();
        for (SimRank rank : ranks) {
            if (rank.isRunning() && !excluded.contains(rank.id().slot())) {
                live.add(rank);
            }
        }
        return live;
    }
}
