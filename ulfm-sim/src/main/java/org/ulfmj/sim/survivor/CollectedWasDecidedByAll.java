package org.ulfmj.sim.survivor;

import java.util.List;

/** Collection of old decisions is safe, what a decision drops every live member had decided; and few are kept. */
final class CollectedWasDecidedByAll extends ReturnCheck {
    private final int mostKept;

    /** @param mostOpen agreements of one communicator that overlap, at most */
    CollectedWasDecidedByAll(List<SimRank> ranks, Journal journal, int mostOpen) {
        super(ranks, journal);
        this.mostKept = mostOpen + 1;
    }

    @Override
    String wrongWith(Journal.Return returned, SimRank rank) {
        Journal.Agreement agreement = returned.agreement();
        if (Journal.isFarewell(returned.decision())) {
            return null;
        }
        int kept = rank.core().storedDecisions(agreement.communicator());
        if (kept > mostKept) {
            return kept + " decisions are kept";
        }
        if (!isLive(rank)) {
            return null;
        }
        long last = Math.min(returned.decision().collectTo(), agreement.sequence());
        for (long dropped = Math.max(1, returned.decision().collectFrom()); dropped <= last; dropped++) {
            for (SimRank live : LiveRanks.of(ranks(), journal())) {
                int slot = live.id().slot();
                if (agreement.members().contains(slot)
                        && !journal()
                                .of(agreement.communicator(), dropped)
                                .decisions()
                                .containsKey(slot)) {
                    return "it drops decision " + dropped + ", which " + live + " does not have";
                }
            }
        }
        return null;
    }
}
