package org.ulfmj.detector;

/**
 * Keeps a stall of this process (collector pause, SIGSTOP, a starved core, a laptop's sleep) from being blamed on a
 * peer. A process that waits asks to be called at some time; a later call is its own lateness, and its waits for others
 * are extended by it: silence counts only while this process was able to hear.
 *
 * <p>One per rank, not thread-safe. It also remembers the lateness, for diagnosis.
 */
public final class StallGuard {
    private long totalNs;
    private long longestNs;

    /**
     * How much later than asked a tick came, never negative. To be called once a tick: it counts.
     *
     * @param nowNs time of the tick
     * @param askedForNs deadline that stood before it; {@link Long#MAX_VALUE} if none did
     */
    public long lateness(long nowNs, long askedForNs) {
        if (askedForNs == Long.MAX_VALUE || nowNs <= askedForNs) {
            return 0;
        }
        long lateNs = nowNs - askedForNs;
        totalNs += lateNs;
        longestNs = Math.max(longestNs, lateNs);
        return lateNs;
    }

    /** All lateness so far. */
    public long totalNs() {
        return totalNs;
    }

    /** The worst single lateness so far. */
    public long longestNs() {
        return longestNs;
    }
}
