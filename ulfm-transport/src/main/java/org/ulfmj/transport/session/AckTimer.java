package org.ulfmj.transport.session;

import org.ulfmj.protocol.Timing;

/**
 * Decides how long written frames may wait for the next acknowledgement before their connection is given up (rule L11).
 * Begins with {@code ulfm.link.rto} and follows the times that acknowledgements take: their mean plus four times their
 * mean deviation, as TCP does for a packet. The wait that they give is at least 200 ms or a sixth of the link budget,
 * whichever is less, and at most half the budget, or {@code ulfm.link.rto} if that is more. It doubles after each
 * connection that is given up, up to the whole budget or four times in a row, until an acknowledgement comes. Frames
 * that were never acknowledged give no sample, so an outage does not change the mean, and that of a slower path is
 * measured as soon as the doubled wait is long enough for it.
 */
final class AckTimer {
    private static final long FLOOR_NS = 200_000_000;
    private static final int MOST_DOUBLINGS = 4;

    private final long floorNs;
    private final long ceilingNs;
    private final long budgetNs;
    private long meanNs = -1;
    private long deviationNs;
    private long waitNs;
    private int doublings;

    AckTimer(Timing timing) {
        budgetNs = timing.linkBudgetNs();
        floorNs = Math.min(FLOOR_NS, budgetNs / 6);
        ceilingNs = Math.max(timing.linkRtoNs(), budgetNs / 2);
        waitNs = timing.linkRtoNs();
    }

    /**
     * An acknowledgement came. {@code afterNs} is how long the peer took for it on this connection: counted from the
     * acknowledgement before it if frames still waited then, else from the first frame that has waited since; for
     * frames that waited already when the connection began, from that beginning.
     */
    void onAnswer(long afterNs) {
        long sampleNs = Math.max(0, Math.min(afterNs, ceilingNs));
        if (meanNs < 0) {
            meanNs = sampleNs;
            deviationNs = sampleNs / 2;
        } else {
            deviationNs += (Math.abs(sampleNs - meanNs) - deviationNs) / 4;
            meanNs += (sampleNs - meanNs) / 8;
        }
        waitNs = Math.min(Math.max(meanNs + 4 * deviationNs, floorNs), ceilingNs);
        doublings = 0;
    }

    /** The wait for an acknowledgement has ended without one, and the connection was given up. */
    void onExpired() {
        doublings = Math.min(doublings + 1, MOST_DOUBLINGS);
    }

    long waitNs() {
        return Math.min(waitNs << doublings, budgetNs);
    }
}
