package org.ulfmj.check.survivor.shrink;

import java.util.List;
import org.ulfmj.check.survivor.Journal;
import org.ulfmj.check.survivor.SurvivorRank;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/** An invariant about each communicator that a rank makes by shrink. It checks each new one once. */
abstract class ShrunkCheck implements Invariant {
    private final List<SurvivorRank> ranks;
    private final Journal journal;
    private int seen;

    ShrunkCheck(List<SurvivorRank> ranks, Journal journal) {
        this.ranks = ranks;
        this.journal = journal;
    }

    @Override
    public final void afterStep(SimProcess<?, ?> process) {
        while (seen < journal.shrunk().size()) {
            Journal.Shrunk shrunk = journal.shrunk().get(seen++);
            String wrong = wrongWith(shrunk);
            if (wrong != null) {
                throw new Violation(name() + ": " + shrunk.agreement() + " makes " + shrunk.members() + " with id "
                        + Long.toHexString(shrunk.id()) + " at " + ranks.get(shrunk.slot()) + ": " + wrong);
            }
        }
    }

    final Journal journal() {
        return journal;
    }

    abstract String wrongWith(Journal.Shrunk shrunk);
}
