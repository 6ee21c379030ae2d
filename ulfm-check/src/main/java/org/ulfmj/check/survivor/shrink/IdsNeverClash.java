package org.ulfmj.check.survivor.shrink;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.check.survivor.Journal;
import org.ulfmj.check.survivor.SurvivorRank;

/**
 * An id stands for one communicator: if two ranks make communicators of the same id, both come from the same shrink on
 * the same parent and have the same members.
 */
final class IdsNeverClash extends ShrunkCheck {
    private final SortedMap<Long, Journal.Shrunk> byId = new TreeMap<>();

    IdsNeverClash(List<SurvivorRank> ranks, Journal journal) {
        super(ranks, journal);
    }

    @Override
    String wrongWith(Journal.Shrunk shrunk) {
        Journal.Shrunk first = byId.putIfAbsent(shrunk.id(), shrunk);
        boolean isSame = first == null
                || first.agreement() == shrunk.agreement() && first.members().equals(shrunk.members());
        return isSame ? null : first.agreement() + " has made the same id for " + first.members();
    }
}
