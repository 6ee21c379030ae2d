package org.ulfmj.check.survivor.shrink;

import java.util.List;
import org.ulfmj.check.survivor.Journal;
import org.ulfmj.check.survivor.SurvivorRank;

/** A process that the caller had marked failed before the call is no member of the communicator that it gets. */
final class TheKnownDeadAreShrunkAway extends ShrunkCheck {
    TheKnownDeadAreShrunkAway(List<SurvivorRank> ranks, Journal journal) {
        super(ranks, journal);
    }

    @Override
    String wrongWith(Journal.Shrunk shrunk) {
        for (int slot : shrunk.failedBefore().toArray()) {
            if (shrunk.members().contains(slot)) {
                return "it had known of the failure of " + slot;
            }
        }
        return null;
    }
}
