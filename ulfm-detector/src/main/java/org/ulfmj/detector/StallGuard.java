package org.ulfmj.detector;

/**
 * Keeps a stall of this process (collector pause, SIGSTOP, a starved core, a laptop's sleep) from being blamed on a
 * peer. A process that waits asks for a tick at some time. A tick that comes later is the lateness of this process, and
 * extends the deadlines that it has set for peers: silence counts only while this process was able to hear.
 *
 * <p>Each rank has one guard. The guard also sums up the lateness, for diagnosis. Not thread-safe.
 */
public final class StallGuard {
    private long totalNs;
    private long longestNs;

    /**
     * Returns how much later than asked for a tick came (never negative), and adds that to the sum. To be called once
     * per tick, because each call adds to the sum.
     *
     * @param nowNs time of the tick
     * @param askedForNs the deadline that stood before the tick; {@link Long#MAX_VALUE} if none did
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

    /** Returns the sum of all lateness so far. */
    public long totalNs() {
        return totalNs;
    }

    /** Returns the greatest single lateness so far. */
    public long longestNs() {
        return longestNs;
    }
}
