package org.ulfmj.check.survivor.invariant;

import java.util.List;
import org.ulfmj.check.survivor.Journal;
import org.ulfmj.check.survivor.SurvivorRank;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/**
 * A rank is told of a revocation only if a process revoked that very communicator, and only while the rank has that
 * communicator. So the revocation of a communicator that a rank has freed or never made does not revoke another
 * communicator there.
 */
final class ARevokeTouchesItsOwnOnly implements Invariant {
    private final List<SurvivorRank> ranks;
    private final Journal journal;
    private final int[] seen;

    ARevokeTouchesItsOwnOnly(List<SurvivorRank> ranks, Journal journal) {
        this.ranks = ranks;
        this.journal = journal;
        this.seen = new int[ranks.size()];
    }

    @Override
    public void afterStep(SimProcess<?, ?> process) {
        SurvivorRank rank = ranks.get(process.node());
        if (rank.revoked().size() == seen[process.node()]) {
            return;
        }
        seen[process.node()] = rank.revoked().size();
        for (long communicator : rank.revoked()) {
            if (!journal.revokedByCall().containsKey(communicator)) {
                throw new Violation(name() + ": " + process + " has " + Long.toHexString(communicator)
                        + " revoked, which no rank revoked");
            }
        }
        if (rank.toldAfterFree() != null) {
            throw new Violation(name() + ": " + process + " was told that " + Long.toHexString(rank.toldAfterFree())
                    + " is revoked, which it does not have");
        }
    }
}
