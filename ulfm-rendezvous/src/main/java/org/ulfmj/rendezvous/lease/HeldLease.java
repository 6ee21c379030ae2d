package org.ulfmj.rendezvous.lease;

/**
 * V15: the lease as its holder counts it, on the holder's own clock, from the <em>sending</em> of the last keep-alive
 * that was answered. The coordinator counts from when that keep-alive came, which is later: so the holder has fenced
 * itself before the coordinator takes it for ended, however long the messages were on their way.
 *
 * <p>The holder asks {@link #isOver} before any other step: it may have been paused for longer than the lease. A lease
 * that was over once stays over. Pure, not thread-safe.
 */
public final class HeldLease {
    /** How many keep-alives may be under way at a time; older ones count for nothing when their answer comes. */
    private static final int MOST_OPEN = 16;

    private static final int PATIENCE_PARTS = 4;

    private final long leaseNs;
    private final long keepAliveNs;
    private final long patienceNs;
    private final long[] sentNs = new long[MOST_OPEN];

    private boolean isBegun;
    private boolean isOver;
    private long fromNs;
    private long lastSentNs;
    private int last;
    private int lastAnswered;

    /** @param keepAliveNs how long keep-alives are apart */
    public HeldLease(long leaseNs, long keepAliveNs) {
        if (keepAliveNs <= 0 || leaseNs <= keepAliveNs) {
            throw new IllegalArgumentException("a lease of " + leaseNs + " ns (ulfm.rdzv.lease) must be longer than its"
                    + " keep-alive of " + keepAliveNs + " ns (ulfm.rdzv.keepalive)");
        }
        this.leaseNs = leaseNs;
        this.keepAliveNs = keepAliveNs;
        this.patienceNs = Math.max(2 * keepAliveNs, leaseNs / PATIENCE_PARTS);
    }

    /** A keep-alive is sent now. The first one begins the lease. Returns its number, which its answer repeats. */
    public int send(long nowNs) {
        if (!isBegun) {
            isBegun = true;
            fromNs = nowNs;
        }
        last++;
        lastSentNs = nowNs;
        sentNs[last % MOST_OPEN] = nowNs;
        return last;
    }

    /** The coordinator has answered a keep-alive. A number that was never sent, or is long past, means nothing. */
    public void answered(int number) {
        if (number > lastAnswered && number <= last && number > last - MOST_OPEN) {
            lastAnswered = number;
            fromNs = sentNs[number % MOST_OPEN];
        }
    }

    /** Whether the holder must not act any more. False before the first keep-alive. */
    public boolean isOver(long nowNs) {
        isOver |= isBegun && nowNs - fromNs >= leaseNs;
        return isOver;
    }

    /** The connection broke: what was sent on it is not answered any more. */
    public void disconnect() {
        lastAnswered = last;
    }

    /**
     * How long an answer may take, or the attempt to connect, before the connection counts as broken: a network that is
     * silent for a while is then used again soon after, and not only when the system tries again.
     */
    public long patienceNs() {
        return patienceNs;
    }

    /** Whether the answer to a keep-alive on the present connection takes too long. */
    public boolean isUnanswered(long nowNs) {
        return last > lastAnswered && nowNs - oldestNs() >= patienceNs;
    }

    private long oldestNs() {
        return sentNs[(lastAnswered + 1) % MOST_OPEN];
    }

    /** When the lease is over; {@link Long#MAX_VALUE} before the first keep-alive. */
    public long endNs() {
        return isBegun ? fromNs + leaseNs : Long.MAX_VALUE;
    }

    /**
     * When the next keep-alive is due, or an answer takes too long, or the lease is over; {@link Long#MAX_VALUE} before
     * the first keep-alive.
     */
    public long nextDueNs() {
        if (!isBegun) {
            return Long.MAX_VALUE;
        }
        long dueNs = last > lastAnswered ? Math.min(endNs(), oldestNs() + patienceNs) : endNs();
        return hasRoom() ? Math.min(dueNs, lastSentNs + keepAliveNs) : dueNs;
    }

    private boolean hasRoom() {
        return last - lastAnswered < MOST_OPEN;
    }

    public boolean isKeepAliveDue(long nowNs) {
        return isBegun && hasRoom() && nowNs - lastSentNs >= keepAliveNs;
    }
}
