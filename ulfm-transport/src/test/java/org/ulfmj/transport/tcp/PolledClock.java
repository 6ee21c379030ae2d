package org.ulfmj.transport.tcp;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A clock for fabrics that one thread drives. Between two readings it advances by the real time, but by 50 ms at most
 * unless {@link #pass} is called. So a thread that gets no core for seconds breaks no link and ends no handshake.
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

    /** Advances the clock, as if the thread that drives the fabrics had slept for this long. */
    void pass(long durationNs) {
        nowNs += durationNs;
    }
}
