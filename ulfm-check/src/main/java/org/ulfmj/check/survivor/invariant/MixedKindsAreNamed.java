package org.ulfmj.check.survivor.invariant;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.check.survivor.Journal;
import org.ulfmj.check.survivor.LiveRanks;
import org.ulfmj.check.survivor.SurvivorRank;

/**
 * A decision names exactly the kinds of calls that its contributors made, each with the lowest rank of a contributor
 * that made it. Decisions of Finalize are not checked.
 */
final class MixedKindsAreNamed extends ReturnCheck {
    /** Checks the returns of these ranks. */
    MixedKindsAreNamed(List<SurvivorRank> ranks, Journal journal, LiveRanks live) {
        super(ranks, journal, live);
    }

    @Override
    String wrongWith(Journal.Return returned, SurvivorRank rank) {
        if (Journal.isFarewell(returned.decision())) {
            return null;
        }
        Journal.Agreement agreement = returned.agreement();
        SortedMap<Kind, Integer> called = new TreeMap<>();
        for (int slot : agreement.contributors(returned.decision()).toArray()) {
            Kind kind = agreement.entries().get(slot).contribution().kind();
            called.merge(kind, agreement.members().rank(slot), Math::min);
        }
        return called.equals(returned.decision().kinds()) ? null : "the lowest ranks in it by kind are " + called;
    }
}
