package org.ulfmj.runtime.progress;

/** Time as a rank sees it: monotonic, in nanoseconds, from an arbitrary origin. */
@FunctionalInterface
public interface Clock {
    long nowNs();
}
