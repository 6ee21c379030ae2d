package org.ulfmj.sim.survivor;

import java.util.List;

/**
 * Finalize: no live rank's decision to leave comes before every running rank has called Finalize, but for those it excludes. One
 * that others hold for failed may have been told by the launcher that they have left without it.
 */
final class NobodyLeavesEarly extends ReturnCheck {
    NobodyLeavesEarly(List<SimRank> ranks, Journal journal, LiveRanks live) {
        super(ranks, journal, live);
    }

    @Override
    String wrongWith(Journal.Return returned, SimRank rank) {
        if (!Journal.isFarewell(returned.decision()) || !isLive(rank)) {
            return null;
        }
        for (SimRank other : ranks()) {
            if (other.isRunning()
                    && !returned.agreement().entries().containsKey(other.id().slot())
                    && !returned.decision().failed().contains(other.id().slot())) {
                return other + " has not called";
            }
        }
        return null;
    }
}
