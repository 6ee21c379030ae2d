package org.ulfmj.check.detector;

import org.ulfmj.protocol.Timing;

/**
 * Within what time each call ends once nothing new goes wrong: the formulas of {@code docs/protocols/bounds.md}. They
 * count from the last thing that happened from outside: a fault (with the end of a pause or of a cut), the news of an
 * end, or the last rank's entering the call.
 *
 * <p>Letters: n ranks, L = ⌈log₂ n⌉, δ detector timeout, η heartbeat period, ℓ how late a timer may be, τ longest time
 * of a message, f processes that have ended so far.
 */
public final class Bounds {
    private static final long SECOND_NS = 1_000_000_000;

    /** Ups and the decision's way down, for the round that was open, the next one, and a takeover that asks again. */
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
     * @param drainNs how long what has arrived from a dead process may be read before it is marked
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
     * Every end is known to everyone who runs, and the ring is one cycle: s + (2δ + η)(1 + ℓ/η) + ⌈f/(L+1)⌉(δ + η)(1 +
     * ℓ/η) + nτ, where s = 1 s + ln n s is the slack of a job that has just started; one that has run for long needs
     * less by it.
     *
     * <p>Each rank finds the dead before it by itself: the first within two timeouts, then L + 1 at a time (rule 6a).
     * All do so at once; then each has its nearest live predecessor for a neighbour, and what is known goes round.
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
     * As {@link #failuresKnownNs}, where the launcher judges silences: half a timeout more for its question (J2), and a
     * timeout for each verdict on a path (J3), one after the other. Suspended while the launcher is stopped.
     */
    public long judgedNs(int failures, int verdictsOnPaths) {
        return failuresKnownNs(failures)
                + timing.detectorTimeoutNs() / 2
                + verdictsOnPaths * timing.detectorTimeoutNs();
    }

    /**
     * As {@link #failuresKnownNs}, where the launcher is dead and ranks end the silent ones of their host: another
     * timeout, and for each process that may be ended before, the lock, a second look and a kill.
     */
    public long judgedByRanksNs(int failures) {
        return failuresKnownNs(failures) + timing.detectorTimeoutNs() + ranks * (timing.detectorTimeoutNs() / 4);
    }

    /** A broadcast reaches all who run, where every end has been told: nτ, for it may have to go round. */
    public long broadcastNs() {
        return ranks * delayNs;
    }

    /**
     * {@code agree}, {@code agreeFailed}, {@code shrink} and their non-blocking forms: all ends are known, their words
     * are read out, and then 6(L+1)τ. What follows from the agreement of a shrink is computed without a message.
     */
    public long agreementNs(int failures) {
        return failuresKnownNs(failures) + decisionNs();
    }

    /** {@code agree(flag, UNIFORM)}: the ends become known once, and then two agreements follow one another. */
    public long uniformNs(int failures) {
        return failuresKnownNs(failures) + 2 * decisionNs();
    }

    private long decisionNs() {
        return drainNs + TRAVERSALS * (logarithm() + 1) * delayNs;
    }

    /**
     * {@code replace()}: the ends become known once; then its offer rounds, the confirm and the way of the welcome take
     * an agreement each, and the wait for newcomers its time limit. A call of the recovery mode makes it begin anew.
     */
    public long replaceNs(int failures, int rounds, long timeoutNs) {
        return failuresKnownNs(failures) + timeoutNs + 2 * (rounds + 3) * decisionNs();
    }

    /** {@code revoke} is known to all who run: it passes over the dead as soon as their ends are known. */
    public long revokeNs(int failures) {
        return failuresKnownNs(failures) + broadcastNs();
    }

    /** {@code Finalize} is one agreement, and a goodbye that any one of those that have left says. */
    public long finalizeNs(int failures) {
        return agreementNs(failures) + delayNs;
    }

    /**
     * A link session hands over its frames, or gives up: twice the link budget and a round trip, for a timer that has
     * doubled up to the budget may have begun just before the path was in order again, and so may the next dial.
     */
    public long handOverNs() {
        return 2 * timing.linkBudgetNs() + 2 * delayNs;
    }

    /** The largest of them, for what has no other bound, as a message that no process waits for. */
    public long anyCallNs(int failures) {
        return Math.max(revokeNs(failures), finalizeNs(failures));
    }

    private int logarithm() {
        return Integer.SIZE - Integer.numberOfLeadingZeros(ranks - 1);
    }
}
