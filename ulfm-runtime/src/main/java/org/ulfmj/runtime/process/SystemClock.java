package org.ulfmj.runtime.process;

import java.util.function.LongSupplier;
import org.ulfmj.runtime.progress.Clock;

/** The clock of the rank and of its links: {@link System#nanoTime}. */
enum SystemClock implements Clock, LongSupplier {
    INSTANCE;

    @Override
    public long nowNs() {
        return System.nanoTime();
    }

    @Override
    public long getAsLong() {
        return System.nanoTime();
    }
}
