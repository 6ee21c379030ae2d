package org.ulfmj.check.uniform;

import java.util.List;
import org.ulfmj.protocol.ProcessId;

/**
 * Agreement, with any suspicions: two running ranks that no running process has marked failed return the same from a
 * call. That is checked when the later of the two returns.
 */
final class LiveReturnersAgree extends ReturnPairs {
    private final List<UniformRank> ranks;

    LiveReturnersAgree(Returns returns, List<UniformRank> ranks) {
        super(returns);
        this.ranks = ranks;
    }

    @Override
    String wrongWith(Returns.Return earlier, Returns.Return later) {
        return earlier.differsFrom(later) && isLive(earlier.rank()) && isLive(later.rank())
                ? "they differ, and both live"
                : null;
    }

    private boolean isLive(UniformRank rank) {
        ProcessId id = rank.id();
        return rank.isRunning()
                && ranks.stream()
                        .noneMatch(
                                other -> other.isRunning() && other.failures().hasFailed(id));
    }
}
