package org.ulfmj.transport;

import static org.assertj.core.api.Assertions.fail;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Polls in tests that drive their fabrics themselves: until a condition holds, and at most for a minute. */
public final class Polling {
    private static final long BOUND_NS = TimeUnit.MINUTES.toNanos(1);

    private Polling() {}

    public static void until(BooleanSupplier condition, Runnable poll) {
        long beginNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - beginNs > BOUND_NS) {
                fail("a minute has passed");
            }
            poll.run();
        }
    }
}
