package org.ulfmj.check.survivor.invariant;

import java.util.List;
import org.ulfmj.check.survivor.SurvivorRank;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/**
 * A revocation that came before the rank had built the communicator is told to the rank in the very step in which it
 * builds the communicator.
 */
final class AnEarlyRevokeIsNotLost implements Invariant {
    /** The ranks of the world. */
    private final List<SurvivorRank> ranks;

    private final long[] seen;

    AnEarlyRevokeIsNotLost(List<SurvivorRank> ranks) {
        this.ranks = ranks;
        this.seen = new long[ranks.size()];
    }

    @Override
    public void afterStep(SimProcess<?, ?> process) {
        SurvivorRank rank = ranks.get(process.node());
        long newest = rank.newestCommunicator();
        if (newest == seen[process.node()]) {
            return;
        }
        seen[process.node()] = newest;
        if (rank.core().isRevoked(newest) && !rank.revoked().contains(newest)) {
            throw new Violation(name() + ": " + process + " makes " + Long.toHexString(newest)
                    + ", of whose revocation it knows, and is not told");
        }
    }
}
