package org.ulfmj.runtime.progress;

/**
 * Tells for how long a program has not called MPI. A call only counts, and reads no clock: the progress thread looks at
 * the counter every 50 ms or more often, so the times are known to about that. A time of more than a second in which no
 * look came does not count, since the whole process was stopped then: a program that was stopped by ^Z has not been
 * silent. Pure; under the engine lock.
 */
public final class CallWatch {
    /** If two looks are further apart than this, the process counts as stopped in between. */
    private static final long STANDSTILL_NS = 1_000_000_000;

    private long callsSeen = -1;
    private long lookedNs;
    private long idleSinceNs;
    private long quietSinceNs;

    /**
     * Looks at the counter.
     *
     * @param calls how often a thread of the program has entered or left a call
     * @param isWaitedIn whether a thread waits inside a call
     */
    public void look(long calls, boolean isWaitedIn, long nowNs) {
        if (callsSeen < 0 || calls != callsSeen) {
            callsSeen = calls;
            idleSinceNs = nowNs;
            quietSinceNs = nowNs;
        } else {
            long gapNs = nowNs - lookedNs;
            if (gapNs > STANDSTILL_NS) {
                idleSinceNs += gapNs;
                quietSinceNs += gapNs;
            }
            if (isWaitedIn) {
                quietSinceNs = nowNs;
            }
        }
        lookedNs = nowNs;
    }

    /** For how long, at least, no thread of the program had entered or left a call at the time of the last look. */
    public long idleNs() {
        return lookedNs - idleSinceNs;
    }

    /** As {@link #idleNs}, for the time in which no thread has waited inside a call either. */
    public long quietNs() {
        return lookedNs - quietSinceNs;
    }
}
