package org.ulfmj.check.survivor.invariant;

import java.util.List;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.check.survivor.Journal;
import org.ulfmj.check.survivor.LiveRanks;
import org.ulfmj.check.survivor.SurvivorRank;

/**
 * Finalize: a process decides to leave only when every running rank that its decision does not list as failed has made
 * its call of that agreement. A process that another rank's farewell lists as failed is not judged.
 */
final class NoRankLeavesEarly extends ReturnCheck {
    NoRankLeavesEarly(List<SurvivorRank> ranks, Journal journal, LiveRanks live) {
        super(ranks, journal, live);
    }

    @Override
    String wrongWith(Journal.Return returned, SurvivorRank rank) {
        if (!Journal.isFarewell(returned.decision()) || isExcluded(returned)) {
            return null;
        }
        for (SurvivorRank other : ranks()) {
            if (other.isRunning()
                    && !returned.agreement().entries().containsKey(other.id().slot())
                    && !returned.decision().failed().contains(other.id().slot())) {
                return other + " has not called";
            }
        }
        return null;
    }

    private static boolean isExcluded(Journal.Return returned) {
        for (Decision decision : returned.agreement().decisions().values()) {
            if (Journal.isFarewell(decision) && decision.failed().contains(returned.slot())) {
                return true;
            }
        }
        return false;
    }
}
