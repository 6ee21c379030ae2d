package org.ulfmj.check.survivor.shrink;

import java.util.List;
import org.ulfmj.check.survivor.Journal;
import org.ulfmj.check.survivor.SurvivorRank;

/** A process that returns from shrink is a member of the communicator that it made. */
final class ShrinkingRanksAreMembers extends ShrunkCheck {
    ShrinkingRanksAreMembers(List<SurvivorRank> ranks, Journal journal) {
        super(ranks, journal);
    }

    @Override
    String wrongWith(Journal.Shrunk shrunk) {
        return shrunk.members().contains(shrunk.slot()) ? null : "the rank itself is left out";
    }
}
