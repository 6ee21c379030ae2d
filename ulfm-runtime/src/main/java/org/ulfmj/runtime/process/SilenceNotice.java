package org.ulfmj.runtime.process;

import org.ulfmj.runtime.progress.CallWatch;

/**
 * Decides when a rank tells the launcher that no thread of its program has entered or left a call for long: once a
 * limit is reached, and again in each quarter of that limit while this lasts, since a message may be lost and the
 * launcher may not be able to judge yet. Pure; under the engine lock.
 */
final class SilenceNotice {
    private final long silenceNs;
    private final long progressNs;
    private boolean isTold;
    private long toldNs;

    /**
     * @param silenceNs {@code ulfm.silence.limit} in nanoseconds; {@link Long#MAX_VALUE} if it is off
     * @param progressNs {@code ulfm.progress.limit} in nanoseconds; {@link Long#MAX_VALUE} if it is off
     */
    SilenceNotice(long silenceNs, long progressNs) {
        this.silenceNs = silenceNs;
        this.progressNs = progressNs;
    }

    /** Whether the launcher is to be told now; if so, that counts as done. */
    boolean isDue(CallWatch calls, long nowNs) {
        long limitNs = calls.quietNs() >= silenceNs ? silenceNs : progressNs;
        if (limitNs == progressNs && calls.idleNs() < progressNs) {
            isTold = false;
            return false;
        }
        if (isTold && nowNs - toldNs < limitNs / 4) {
            return false;
        }
        isTold = true;
        toldNs = nowNs;
        return true;
    }
}
