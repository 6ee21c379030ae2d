package org.ulfmj.runtime.leave;

/**
 * How the time between SIGTERM and SIGKILL is divided. The program's handler gets nine tenths, or all but a second if
 * that is more; the rest is for leaving. The links may use the first half of the rest, since a peer may acknowledge
 * nothing; the launcher's answer may take until three quarters of it, since the launcher may not answer. So each of
 * them ends before SIGKILL by its own limit, and the last quarter is for the process to end in. If the handler returns
 * early, the links and the launcher's answer may take up to a second each. Pure.
 */
final class LeavingTime {
    /**
     * The longest time that the links may take to bring the last messages and to end, and also the longest time for the
     * launcher's answer.
     */
    static final long MOST_NS = 1_000_000_000;

    private static final int PART = 10;

    private final long graceNs;
    private final long killNs;
    private final long keptNs;

    /**
     * @param nowNs when SIGTERM came
     * @param graceNs how long after SIGTERM SIGKILL comes
     */
    LeavingTime(long nowNs, long graceNs) {
        this.graceNs = graceNs;
        killNs = nowNs + graceNs;
        keptNs = Math.min(graceNs / PART, MOST_NS);
    }

    /** When the handler's time is over. */
    long handlerEndsNs() {
        return killNs - keptNs;
    }

    /** How long the handler may take, counted from the signal. */
    long handlerNs() {
        return graceNs - keptNs;
    }

    /** How long the links may take for the last messages and their end, counted from {@code nowNs}. */
    long linksNs(long nowNs) {
        return limit(killNs - keptNs / 2 - nowNs);
    }

    /** How long the launcher may take for its answer, counted from {@code nowNs}. */
    long wordNs(long nowNs) {
        return limit(killNs - keptNs / 4 - nowNs);
    }

    private static long limit(long leftNs) {
        return Math.max(0, Math.min(MOST_NS, leftNs));
    }
}
