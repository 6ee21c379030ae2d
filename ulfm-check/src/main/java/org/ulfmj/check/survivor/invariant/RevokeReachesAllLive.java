package org.ulfmj.check.survivor.invariant;

import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import org.ulfmj.check.survivor.Journal;
import org.ulfmj.check.survivor.SurvivorRank;
import org.ulfmj.sim.Invariant;

/**
 * Revoke: a communicator that was revoked by a rank that lives on is in the end revoked at every running rank that has
 * it. Ranks that are leaving are not checked.
 */
record RevokeReachesAllLive(List<SurvivorRank> ranks, Journal journal) implements Invariant {
    @Override
    public String open() {
        for (Map.Entry<Long, SortedSet<Integer>> call : journal.revokedByCall().entrySet()) {
            if (call.getValue().stream().noneMatch(slot -> ranks.get(slot).isRunning())) {
                continue;
            }
            for (SurvivorRank rank : ranks) {
                if (rank.isWatching()
                        && rank.registered().containsKey(call.getKey())
                        && !rank.revoked().contains(call.getKey())) {
                    return rank + " was not told that " + Long.toHexString(call.getKey()) + " is revoked";
                }
            }
        }
        return null;
    }
}
