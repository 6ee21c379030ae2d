package org.ulfmj.rendezvous.silence;

/**
 * Time as the judge counts it: without the time in which the launcher itself stood still. The judge is called once per
 * step. When a call is late by more than the length of a step, the launcher heard no process meanwhile, and the whole
 * delay is left out. A shorter delay is that of any timer and stays in; leaving it out would make this clock
 * permanently slow.
 */
final class JudgeClock {
    private final long stepNs;
    private long stalledNs;
    private long dueNs;
    private boolean isRunning;

    JudgeClock(long stepNs) {
        this.stepNs = stepNs;
    }

    /** The present time by the judge's clock. The judge asks for it before it notes any time. */
    long at(long nowNs) {
        if (isRunning && nowNs - dueNs > stepNs) {
            stalledNs += nowNs - dueNs;
            dueNs = nowNs;
        }
        return nowNs - stalledNs;
    }

    /** Whether the next step is due. */
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

    /** When the next step is due; {@link Long#MAX_VALUE} while the clock is stopped. */
    long dueNs() {
        return isRunning ? dueNs : Long.MAX_VALUE;
    }
}
