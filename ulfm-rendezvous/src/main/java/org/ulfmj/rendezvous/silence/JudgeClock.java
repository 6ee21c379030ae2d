package org.ulfmj.rendezvous.silence;

/**
 * Time as the judge counts it: without that in which the launcher stood still itself. The judge is called once per step; by
 * how much a call comes late, nobody could be heard, and nothing of that is blamed on anybody.
 */
final class JudgeClock {
    private final long stepNs;
    private long stalledNs;
    private long dueNs;
    private boolean isRunning;

    JudgeClock(long stepNs) {
        this.stepNs = stepNs;
    }

    /** The judge's time; to be asked first in every step, before anything is dated by it. */
    long at(long nowNs) {
        if (isRunning && nowNs - dueNs > 0) {
            stalledNs += nowNs - dueNs;
            dueNs = nowNs;
        }
        return nowNs - stalledNs;
    }

    /** The next step is due. */
    boolean isDue(long nowNs) {
        return isRunning && nowNs - dueNs >= 0;
    }

    void runFrom(long nowNs) {
        isRunning = true;
        dueNs = nowNs + stepNs;
    }

    void stop() {
        isRunning = false;
    }

    boolean isRunning() {
        return isRunning;
    }

    /** {@link Long#MAX_VALUE} while it stands. */
    long dueNs() {
        return isRunning ? dueNs : Long.MAX_VALUE;
    }
}
