package org.ulfmj.transport.tcp;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A clock for fabrics that one thread drives. It goes on with the time, except while that thread waits for a core:
 * between two readings it advances by 50 ms at most, which is how long a rank sleeps at a time. So a thread that stands
 * still for seconds breaks no link and ends no handshake.
 */
final class PolledClock implements LongSupplier {
    private static final long LONGEST_STEP_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private long nowNs = System.nanoTime();
    private long askedNs = nowNs;

    @Override
    public long getAsLong() {
        long realNs = System.nanoTime();
        nowNs += Math.min(realNs - askedNs, LONGEST_STEP_NS);
        askedNs = realNs;
        return nowNs;
    }

    /** As if the thread that drives the fabrics had slept for so long. */
    void pass(long durationNs) {
        nowNs += durationNs;
    }
}
