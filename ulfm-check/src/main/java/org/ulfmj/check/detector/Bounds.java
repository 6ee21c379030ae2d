package org.ulfmj.check.detector;

import org.ulfmj.protocol.Timing;

/**
 * Time limits of failure detection, of a broadcast, of calls and of the hand-over of a link session, once nothing new
 * goes wrong: the formulas of {@code docs/protocols/bounds.md}. The time counts from the last event that came from
 * outside: a fault (its end for a pause or a cut), the news of an end, or the moment when the last rank entered the
 * call.
 *
 * <p>Letters: n ranks, L = ⌈log₂ n⌉, δ detector timeout, η heartbeat period, ℓ how late a timer may be, τ longest time
 * of a message, f processes that have ended so far.
 */
public final class Bounds {
    private static final long SECOND_NS = 1_000_000_000;

    /**
     * How many passes up or down its tree an agreement takes at most: values go up and the decision comes down, in the
     * round that was open, in the next one, and in a takeover that asks again.
     */
    private static final int TRAVERSALS = 6;

    private final Timing timing;
    private final long delayNs;
    private final long timerLatenessNs;
    private final long drainNs;
    private final int ranks;
    private final long slackNs;

    /**
     * @param delayNs τ
     * @param timerLatenessNs ℓ
     * @param drainNs how long the reading of messages from a dead process may take before it is marked
     */
    public Bounds(Timing timing, long delayNs, long timerLatenessNs, long drainNs, int ranks) {
        this.timing = timing;
        this.delayNs = delayNs;
        this.timerLatenessNs = timerLatenessNs;
        this.drainNs = drainNs;
        this.ranks = ranks;
        this.slackNs = SECOND_NS + (long) (StrictMath.log(ranks) * SECOND_NS);
    }

    /**
     * Returns the time until every end is known to each rank that runs, and the ring is one cycle: s + (2δ + η)(1 +
     * ℓ/η) + ⌈f/(L+1)⌉(δ + η)(1 + ℓ/η) + nτ, where s = 1 s + ln n s is the slack of a job that has just started; a job
     * that has run for long needs s less.
     *
     * <p>Each rank finds the dead ranks before it by itself: the first within two timeouts, then L + 1 at a time (rule
     * 6a). All do so at once. Each then has its nearest live predecessor for a neighbour, and the known failures go
     * round the ring.
     */
    public long failuresKnownNs(int failures) {
        long together = logarithm() + 1;
        long rounds = (failures + together - 1) / together;
        long timeoutNs = timing.detectorTimeoutNs();
        long periodNs = timing.heartbeatPeriodNs();
        long waitsNs = 2 * timeoutNs + periodNs + rounds * (timeoutNs + periodNs);
        return slackNs + waitsNs + waitsNs / periodNs * timerLatenessNs + ranks * delayNs;
    }

    /**
     * Returns the same time as {@link #failuresKnownNs} where the launcher judges silences: half a timeout more for its
     * last question (J2), and one timeout per verdict on a path (J3), as these follow one another.
     */
    public long judgedNs(int failures, int verdictsOnPaths) {
        return failuresKnownNs(failures)
                + timing.detectorTimeoutNs() / 2
                + verdictsOnPaths * timing.detectorTimeoutNs();
    }

    /**
     * Returns the same time as {@link #failuresKnownNs} where the launcher is dead and ranks end the silent ranks of
     * their host: another timeout more, and for each rank, as any may be ended before, a quarter of a timeout for the
     * lock, a second look and a kill.
     */
    public long judgedByRanksNs(int failures) {
        return failuresKnownNs(failures) + timing.detectorTimeoutNs() + ranks * (timing.detectorTimeoutNs() / 4);
    }

    /**
     * Returns the time until a broadcast has reached all ranks that run, once every end is known: nτ, as the broadcast
     * may have to go round the ring.
     */
    public long broadcastNs() {
        return ranks * delayNs;
    }

    /**
     * Returns the time of {@code agree}, {@code agreeFailed}, {@code shrink} and their non-blocking forms: all ends
     * become known, the messages of the dead are read, and then the agreement takes 6(L+1)τ. The result of a shrink is
     * computed from its agreement without a message.
     */
    public long agreementNs(int failures) {
        return failuresKnownNs(failures) + decisionNs();
    }

    /**
     * Returns the time of {@code agree(flag, UNIFORM)}: the ends become known once, and then two agreements follow one
     * another.
     */
    public long uniformNs(int failures) {
        return failuresKnownNs(failures) + 2 * decisionNs();
    }

    private long decisionNs() {
        return drainNs + TRAVERSALS * (logarithm() + 1) * delayNs;
    }

    /**
     * Returns the time of {@code replace()}: the ends become known once, the wait for newcomers takes its time limit,
     * and the first offer, each further round, the confirm and the welcome take the time of one agreement each. These
     * agreements count twice, because a commit of the recovery mode during the call makes the replace begin anew.
     */
    public long replaceNs(int failures, int rounds, long timeoutNs) {
        return failuresKnownNs(failures) + timeoutNs + 2 * (rounds + 3) * decisionNs();
    }

    /**
     * Returns the time until {@code revoke} is known to all ranks that run: the broadcast passes over dead ranks as
     * soon as their ends are known.
     */
    public long revokeNs(int failures) {
        return failuresKnownNs(failures) + broadcastNs();
    }

    /**
     * Returns the time of {@code Finalize}: that of one agreement, and of a goodbye from any one of the ranks that have
     * left.
     */
    public long finalizeNs(int failures) {
        return agreementNs(failures) + delayNs;
    }

    /**
     * Returns the time until a link session hands over its frames, or gives up: twice the link budget and a round trip.
     * A retry timer that has doubled up to the budget may have been started just before the path was in order again,
     * and so may that of the next dial.
     */
    public long handOverNs() {
        return 2 * timing.linkBudgetNs() + 2 * delayNs;
    }

    /** Returns the larger of the bounds of {@code revoke} and {@code Finalize}. */
    public long anyCallNs(int failures) {
        return Math.max(revokeNs(failures), finalizeNs(failures));
    }

    private int logarithm() {
        return Integer.SIZE - Integer.numberOfLeadingZeros(ranks - 1);
    }
}
