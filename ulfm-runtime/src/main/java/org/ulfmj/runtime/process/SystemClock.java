package org.ulfmj.runtime.process;

import java.util.function.LongSupplier;
import org.ulfmj.runtime.progress.Clock;

/** {@link System#nanoTime}, for the rank and for its links. */
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
