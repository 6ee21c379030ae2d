package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.fail;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Waits in a test until a condition is true. If the condition does not come true in time, the test fails with a
 * description of what each rank waits for.
 */
final class RankPolling {
    /** The limit of a wait, in nanoseconds. It is shorter than the time that LocalRanks gives its ranks. */
    private static final long BOUND_NS = TimeUnit.SECONDS.toNanos(40);

    private static final long PAUSE_NS = 1_000_000;

    private RankPolling() {}

    static void until(LocalRanks ranks, BooleanSupplier condition) {
        until(ranks::describe, condition);
    }

    static void until(Supplier<String> whoWaits, BooleanSupplier condition) {
        long beginNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - beginNs > BOUND_NS) {
                fail("in vain for %d s:%n%s", TimeUnit.NANOSECONDS.toSeconds(BOUND_NS), whoWaits.get());
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    static void untilFailed(LocalRanks ranks, Communicator on, int count) {
        until(ranks, () -> on.recovery().failedRanks().length >= count);
    }

    /** Waits until a condition on state that the engine lock guards is true; it is checked under that lock. */
    static void untilUnderLock(LocalRanks ranks, RankEngine engine, BooleanSupplier condition) {
        until(ranks, () -> {
            engine.enter();
            try {
                return condition.getAsBoolean();
            } finally {
                engine.leave();
            }
        });
    }
}
