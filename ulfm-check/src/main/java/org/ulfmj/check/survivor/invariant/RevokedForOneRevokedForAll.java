package org.ulfmj.check.survivor.invariant;

import java.util.List;
import org.ulfmj.check.survivor.SurvivorRank;
import org.ulfmj.sim.Invariant;

/**
 * Revoke: a communicator that is revoked at one running rank is, in the end, revoked at all running ranks that have it.
 * Ranks that are leaving are not checked.
 */
record RevokedForOneRevokedForAll(List<SurvivorRank> ranks) implements Invariant {
    @Override
    public String open() {
        for (SurvivorRank revoked : ranks) {
            if (!revoked.isRunning()) {
                continue;
            }
            for (long communicator : revoked.revoked()) {
                for (SurvivorRank rank : ranks) {
                    if (rank.isWatching()
                            && rank.registered().containsKey(communicator)
                            && !(rank.core().isRevoked(communicator)
                                    && rank.revoked().contains(communicator))) {
                        return rank + " does not know that " + Long.toHexString(communicator) + " is revoked, as "
                                + revoked + " does";
                    }
                }
            }
        }
        return null;
    }
}
