package org.ulfmj.check.survivor.shrink;

import java.util.List;
import org.ulfmj.check.survivor.Journal;
import org.ulfmj.check.survivor.SurvivorRank;
import org.ulfmj.protocol.SlotRuns;

/** The members of a shrunk communicator keep the order that they had in the communicator from which it was made. */
final class ShrinkKeepsTheOrder extends ShrunkCheck {
    ShrinkKeepsTheOrder(List<SurvivorRank> ranks, Journal journal) {
        super(ranks, journal);
    }

    @Override
    String wrongWith(Journal.Shrunk shrunk) {
        SlotRuns old = shrunk.agreement().members();
        int last = -1;
        for (int slot : shrunk.members().toArray()) {
            int rank = old.rank(slot);
            if (rank <= last) {
                return "process " + slot + " had rank " + rank + " in " + old;
            }
            last = rank;
        }
        return null;
    }
}
