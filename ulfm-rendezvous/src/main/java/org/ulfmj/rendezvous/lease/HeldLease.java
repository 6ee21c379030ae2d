package org.ulfmj.rendezvous.lease;

/**
 * V15: the lease as its holder counts it, on the holder's own clock, from the <em>sending</em> of the last keep-alive
 * that was answered. The coordinator counts from the arrival of that keep-alive, which is later. So the lease is over
 * for the holder before it is over for the coordinator, however long the messages were on their way.
 *
 * <p>The holder asks {@link #isOver} before any other step, because it may have been paused for longer than the lease.
 * A lease that has ended stays so until {@link #beginAnew}. Pure, not thread-safe.
 */
public final class HeldLease {
    /** The largest number of keep-alives without an answer; the answer to an older one is ignored. */
    private static final int MOST_OPEN = 16;

    private final LeaseTimes times;
    private final long[] sentNs = new long[MOST_OPEN];

    private boolean isBegun;
    private boolean isOver;
    /** Whether a keep-alive was answered since the lease began. */
    private boolean isAnswered;

    private long fromNs;
    private long lastSentNs;
    /** When anything last came of the coordinator, or the lease began if that was later. */
    private long broughtNs;

    private int last;
    private int lastAnswered;

    public HeldLease(LeaseTimes times) {
        this.times = times;
    }

    /**
     * Notes that a keep-alive is sent now. The first one, and the first after {@link #beginAnew}, begins the lease.
     * Returns the keep-alive's number, which its answer repeats.
     */
    public int send(long nowNs) {
        if (!isBegun) {
            isBegun = true;
            fromNs = nowNs;
            broughtNs = nowNs;
        }
        last++;
        lastSentNs = nowNs;
        sentNs[last % MOST_OPEN] = nowNs;
        return last;
    }

    /** Notes the answer of the coordinator to a keep-alive. A number that was never sent, or is too old, is ignored. */
    public void answered(int number) {
        if (number > lastAnswered && number <= last && number > last - MOST_OPEN) {
            lastAnswered = number;
            isAnswered = true;
            fromNs = sentNs[number % MOST_OPEN];
        }
    }

    /**
     * Notes that bytes have arrived from the coordinator, even if they are only a part of a long message: what follows
     * takes its time, and another connection would have to bring all of it again.
     */
    public void brought(long nowNs) {
        broughtNs = nowNs;
    }

    /** Whether the lease has ended, so that the holder must not act any more. False before the first keep-alive. */
    public boolean isOver(long nowNs) {
        isOver |= isBegun && nowNs - fromNs >= times.leaseNs();
        return isOver;
    }

    /** Notes that the connection broke: keep-alives that were sent on it will not be answered. */
    public void disconnect() {
        lastAnswered = last;
    }

    /**
     * Lets the lease begin anew with the next keep-alive, for a holder that is slow to begin. The holder does not act
     * before that keep-alive is answered ({@link #isAnswered}).
     */
    public void beginAnew() {
        isBegun = false;
        isOver = false;
        isAnswered = false;
        lastAnswered = last;
    }

    /** Whether a keep-alive was answered since the lease began. */
    public boolean isAnswered() {
        return isAnswered;
    }

    /**
     * Whether a keep-alive has had no answer for so long, with no other bytes arriving, that another connection is to
     * be tried.
     */
    public boolean isUnanswered(long nowNs) {
        return last > lastAnswered && nowNs - silentSinceNs() >= times.answerNs();
    }

    /** When {@link #isUnanswered} becomes true; {@link Long#MAX_VALUE} while no answer is awaited. */
    public long answerDueNs() {
        return last > lastAnswered ? silentSinceNs() + times.answerNs() : Long.MAX_VALUE;
    }

    private long silentSinceNs() {
        long oldestNs = sentNs[(lastAnswered + 1) % MOST_OPEN];
        return broughtNs - oldestNs > 0 ? broughtNs : oldestNs;
    }

    /**
     * When the next keep-alive is due; {@link Long#MAX_VALUE} before the lease begins, and while the largest number of
     * keep-alives have no answer.
     */
    public long nextKeepAliveNs() {
        return isBegun && hasRoom() ? lastSentNs + times.keepAliveNs() : Long.MAX_VALUE;
    }

    /** When the lease ends unless it is renewed; {@link Long#MAX_VALUE} before the lease begins. */
    public long endNs() {
        return isBegun ? fromNs + times.leaseNs() : Long.MAX_VALUE;
    }

    /**
     * When the next keep-alive is due or the lease ends, whichever comes first; {@link Long#MAX_VALUE} before the lease
     * begins.
     */
    public long nextDueNs() {
        return isBegun && hasRoom() ? Math.min(endNs(), lastSentNs + times.keepAliveNs()) : endNs();
    }

    private boolean hasRoom() {
        return last - lastAnswered < MOST_OPEN;
    }

    public boolean isKeepAliveDue(long nowNs) {
        return isBegun && hasRoom() && nowNs - lastSentNs >= times.keepAliveNs();
    }
}
