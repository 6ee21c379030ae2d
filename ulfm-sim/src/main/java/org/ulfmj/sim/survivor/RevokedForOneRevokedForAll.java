package org.ulfmj.sim.survivor;

import java.util.List;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/**
 * Revoke: if one running rank has a communicator revoked, so have all running ranks that have that communicator; and only
 * what somebody revoked is revoked.
 */
record RevokedForOneRevokedForAll(List<SimRank> ranks, Journal journal) implements Invariant {
    @Override
    public void afterStep(SimProcess<?, ?> process) {
        for (long communicator : ranks.get(process.node()).revoked()) {
            if (!journal.revokedByCall().contains(communicator)) {
                throw new Violation(name() + ": " + process + " has " + Long.toHexString(communicator)
                        + " revoked, which nobody revoked");
            }
        }
    }

    @Override
    public String open() {
        for (SimRank revoked : ranks) {
            if (!revoked.isRunning()) {
                continue;
            }
            for (long communicator : revoked.revoked()) {
                for (SimRank rank : ranks) {
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
