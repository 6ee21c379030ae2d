package org.ulfmj.testkit.sim;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.ulfmj.sim.SeedRange;
import org.ulfmj.sim.SeedThreads;

/**
 * The result of running many seeds.
 *
 * @param count seeds that were run
 * @param events of the first run of each seed that did not fail
 * @param calls of MPI, in those runs
 * @param deaths of processes, in those runs
 * @param elapsedNs real time
 * @param failures the failed seeds, ascending; the search ends soon after it has found {@value #ENOUGH}
 */
public record Seeds(long count, long events, long calls, long deaths, long elapsedNs, List<Failure> failures) {
    static final int ENOUGH = 10;
    private static final double SECOND_NS = 1e9;

    /** A seed with which the program failed, and the exception. */
    public record Failure(long seed, Throwable thrown) {}

    /** Requires that no seed failed. */
    public Seeds requireSuccess() {
        if (!failures.isEmpty()) {
            Failure first = failures.get(0);
            throw new AssertionError(
                    failures.size() + " of " + count + " seeds failed, the first is " + first.seed() + ": "
                            + first.thrown().getMessage(),
                    first.thrown());
        }
        return this;
    }

    /**
     * Returns a text such as {@code 10000 seeds in 55.1 s (181 a second), 3100000 events, 420000 calls, 35012 deaths, 0
     * failures}.
     */
    @Override
    public String toString() {
        double seconds = elapsedNs / SECOND_NS;
        return String.format(
                java.util.Locale.ROOT,
                "%d seeds in %.1f s (%.0f a second), %d events, %d calls, %d deaths, %d failures",
                count,
                seconds,
                count / seconds,
                events,
                calls,
                deaths,
                failures.size());
    }

    /** Runs seeds on several threads. Each thread runs one world at a time. */
    static final class Search {
        /** Runs one seed; throws if it failed. */
        interface OneSeed {
            SimResult run(long seed) throws Exception;
        }

        private final SeedThreads pool;
        private final OneSeed oneSeed;
        private final AtomicLong count = new AtomicLong();
        private final AtomicLong events = new AtomicLong();
        private final AtomicLong calls = new AtomicLong();
        private final AtomicLong deaths = new AtomicLong();
        private final List<Failure> failures = Collections.synchronizedList(new ArrayList<>());

        Search(long first, long last, OneSeed oneSeed) {
            this.pool = new SeedThreads(new SeedRange(first, last), 1, () -> failures.size() >= ENOUGH);
            this.oneSeed = oneSeed;
        }

        Seeds run(int threads) {
            long startNs = System.nanoTime();
            for (int i = 1; i < threads; i++) {
                pool.start("simulated-seeds-" + i, this::runSeed);
            }
            pool.run(this::runSeed);
            awaitOthers();
            List<Failure> sorted = new ArrayList<>(failures);
            sorted.sort((one, other) -> Long.compare(one.seed(), other.seed()));
            return new Seeds(count.get(), events.get(), calls.get(), deaths.get(), System.nanoTime() - startNs, sorted);
        }

        private void runSeed(long seed) {
            count.incrementAndGet();
            try {
                SimResult result = oneSeed.run(seed);
                events.addAndGet(result.events());
                calls.addAndGet(result.calls());
                deaths.addAndGet(result.deaths());
            } catch (Exception | Error e) {
                failures.add(new Failure(seed, e));
            }
        }

        private void awaitOthers() {
            boolean interrupted = false;
            boolean done = false;
            while (!done) {
                try {
                    done = pool.await(Long.MAX_VALUE);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
