package org.ulfmj.runtime.progress;

/** Time as a rank sees it: monotonic, in nanoseconds, from an arbitrary origin. */
@FunctionalInterface
public interface Clock {
    long nowNs();

    /**
     * Returns the time of the last reading where one takes too long for the purpose, or the time now. For time limits
     * of a wait: a thread that waits or tests reads the clock at least every 64 polls.
     */
    default long latestNs() {
        return nowNs();
    }
}
