package org.ulfmj.transport.session;

import org.ulfmj.protocol.Timing;

/**
 * Decides how long written frames may wait for the next acknowledgement before their connection is given up (rule L11).
 * Begins with {@code ulfm.link.rto} and follows the times that acknowledgements take: their mean and four times their
 * mean deviation, as TCP does for a packet. The wait is at least 200 ms or a sixth of the link budget, whichever is
 * less, and at most half the budget. It doubles after each connection that is given up, until the next acknowledgement
 * on one that is not. So an outage teaches nothing, and a path that has become slower is learned as soon as the wait is
 * long enough for it.
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
     * The next acknowledgement came, that long after the last one or after the first frame that waited for one, and on
     * the same connection.
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

    /** The wait was over, and the connection was given up. */
    void onExpired() {
        doublings = Math.min(doublings + 1, MOST_DOUBLINGS);
    }

    long waitNs() {
        return Math.min(waitNs << doublings, budgetNs);
    }
}
