package org.ulfmj.runtime.leave;

/**
 * How the time between SIGTERM and SIGKILL is divided: nine tenths, or all but a second, for the program's handler, and
 * the rest for leaving. A peer that acknowledges nothing may use up what the links have, and a launcher that does not
 * answer what the word to it has. So each of them ends before SIGKILL by its own limit, and the last quarter is for the
 * process to end in. A handler that is done early leaves them a second each. Pure.
 */
final class LeavingTime {
    /** The most that the links may take to bring the last messages and to end, and the word to the launcher. */
    static final long MOST_NS = 1_000_000_000;

    private static final int PART = 10;

    private final long graceNs;
    private final long killNs;
    private final long keptNs;

    /**
     * @param nowNs when SIGTERM came
     * @param graceNs after which SIGKILL comes
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

    /** How long the handler may take from the signal on. */
    long handlerNs() {
        return graceNs - keptNs;
    }

    /** How long the links may take from now on. */
    long linksNs(long nowNs) {
        return limit(killNs - keptNs / 2 - nowNs);
    }

    /** How long the launcher's answer may take from now on. */
    long wordNs(long nowNs) {
        return limit(killNs - keptNs / 4 - nowNs);
    }

    private static long limit(long leftNs) {
        return Math.max(0, Math.min(MOST_NS, leftNs));
    }
}
