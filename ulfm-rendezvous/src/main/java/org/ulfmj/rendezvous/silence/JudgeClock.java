package org.ulfmj.rendezvous.silence;

/**
 * Time as the judge counts it: without that in which the launcher stood still itself. The judge is called once per
 * step; when a call comes late by more than another step, no process could be heard meanwhile, and nothing of that is
 * blamed on anybody. Less is the delay of any timer, which would slow this clock for good if it were taken off.
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
        if (isRunning && nowNs - dueNs > stepNs) {
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
