package org.ulfmj.check.survivor.invariant;

import java.util.List;
import org.ulfmj.check.survivor.Journal;
import org.ulfmj.check.survivor.LiveRanks;
import org.ulfmj.check.survivor.SurvivorRank;

/**
 * Dropping old decisions is safe: when a decision that returns at a live rank lets ranks drop the decisions of calls,
 * every live member has decided those calls. Decisions of Finalize are not checked.
 */
final class CollectedWasDecidedByAll extends ReturnCheck {
    CollectedWasDecidedByAll(List<SurvivorRank> ranks, Journal journal, LiveRanks live) {
        super(ranks, journal, live);
    }

    @Override
    String wrongWith(Journal.Return returned, SurvivorRank rank) {
        Journal.Agreement agreement = returned.agreement();
        if (Journal.isFarewell(returned.decision()) || !isLive(rank)) {
            return null;
        }
        int live = live().bits();
        long last = Math.min(returned.decision().collectTo(), agreement.sequence());
        for (long dropped = Math.max(1, returned.decision().collectFrom()); dropped <= last; dropped++) {
            Journal.Agreement old = journal().of(agreement.communicator(), dropped);
            for (int slot : agreement.members().toArray()) {
                if ((live & 1 << slot) != 0 && !old.decisions().containsKey(slot)) {
                    return "it drops decision " + dropped + ", which " + ranks().get(slot) + " does not have";
                }
            }
        }
        return null;
    }
}
