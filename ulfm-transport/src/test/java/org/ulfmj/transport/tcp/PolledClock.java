package org.ulfmj.transport.tcp;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A clock for fabrics that one thread drives. It goes on with the time, but for times in which the thread had to wait
 * for a core: of a time in which no fabric has asked for the time, so much counts as a rank sleeps at a time, and no
 * more. A thread that stands still for seconds so breaks no link, and ends no handshake.
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
}
