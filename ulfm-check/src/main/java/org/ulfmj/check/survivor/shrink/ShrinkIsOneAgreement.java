package org.ulfmj.check.survivor.shrink;

import java.util.List;
import org.ulfmj.check.survivor.Journal;
import org.ulfmj.check.survivor.SurvivorRank;

/**
 * One call of shrink takes one agreement, even if ranks have failed: when a rank returns from shrink, its communicator
 * has had as many agreements there as the rank has made calls on it.
 */
final class ShrinkIsOneAgreement extends ShrunkCheck {
    private final List<SurvivorRank> ranks;

    ShrinkIsOneAgreement(List<SurvivorRank> ranks, Journal journal) {
        super(ranks, journal);
        this.ranks = ranks;
    }

    @Override
    String wrongWith(Journal.Shrunk shrunk) {
        Journal.Agreement agreement = shrunk.agreement();
        if (!ranks.get(shrunk.slot()).registered().containsKey(agreement.communicator())) {
            return null;
        }
        long calls = journal().calls().stream()
                .filter(call ->
                        call.slot() == shrunk.slot() && call.agreement().communicator() == agreement.communicator())
                .count();
        long agreements = ranks.get(shrunk.slot()).core().agreements().last(agreement.communicator());
        return agreements == calls ? null : agreements + " agreements for " + calls + " calls";
    }
}
