package org.ulfmj.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Runs many seeds, on a few threads, each schedule alone on one of them. Every tenth seed is run twice and must give
 * the same log hash.
 */
public final class SeedRun {
    private static final int TWICE_EVERY = 10;
    private static final int FEW = 5;
    private static final long CHUNK = 64;

    /** Looks at a run from time to time, on the thread that waits for it. */
    @FunctionalInterface
    public interface Watcher {
        void look(Progress progress);
    }

    /**
     * How far a run has come.
     *
     * @param seeds how many there are in all
     * @param failures those that came up since the last look
     */
    public record Progress(
            long schedules, long seeds, long events, long violations, long tookNs, List<SeedReport.Failure> failures) {}

    private final List<Scenario> scenarios;
    private final SeedRange ranks;
    private final SeedRange seeds;
    private final int enoughFailures;
    private final AtomicLong nextSeed;
    private final AtomicLong failed = new AtomicLong();
    private final LongAdder schedules = new LongAdder();
    private final LongAdder events = new LongAdder();
    private final ConcurrentLinkedQueue<SeedReport.Failure> unseen = new ConcurrentLinkedQueue<>();

    /** Stops early when a few seeds have failed. */
    public SeedRun(List<Scenario> scenarios, SeedRange ranks, SeedRange seeds) {
        this(scenarios, ranks, seeds, FEW);
    }

    /** @param enoughFailures after this many the rest of the seeds is not run */
    public SeedRun(List<Scenario> scenarios, SeedRange ranks, SeedRange seeds, int enoughFailures) {
        this.enoughFailures = enoughFailures;
        this.scenarios = List.copyOf(scenarios);
        this.ranks = ranks;
        this.seeds = seeds;
        this.nextSeed = new AtomicLong(seeds.first());
    }

    /** Runs all seeds, or stops early when enough have failed. */
    public SeedReport run(int threads) throws InterruptedException {
        return run(threads, Long.MAX_VALUE, progress -> {});
    }

    /** The same, with a look at it every this many milliseconds and at its end. */
    public SeedReport run(int threads, long lookMillis, Watcher watcher) throws InterruptedException {
        long startedNs = System.nanoTime();
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Worker worker = new Worker("simulation-" + i);
            workers.add(worker);
            worker.start();
        }
        SeedReport total = new SeedReport();
        scenarios.forEach(scenario -> scenario.mustCover().forEach(total.coverage()::require));
        for (Worker worker : workers) {
            worker.join(lookMillis);
            while (worker.isAlive()) {
                watcher.look(progress(startedNs));
                worker.join(lookMillis);
            }
            if (worker.broken != null) {
                throw new IllegalStateException("the simulator itself broke", worker.broken);
            }
            total.add(worker.report);
        }
        total.tookNs(System.nanoTime() - startedNs);
        watcher.look(progress(startedNs));
        return total;
    }

    private Progress progress(long startedNs) {
        List<SeedReport.Failure> failures = new ArrayList<>();
        for (SeedReport.Failure failure = unseen.poll(); failure != null; failure = unseen.poll()) {
            failures.add(failure);
        }
        return new Progress(
                schedules.sum(), seeds.size(), events.sum(), failed.get(), System.nanoTime() - startedNs, failures);
    }

    private boolean isBadEnough() {
        return failed.get() >= enoughFailures;
    }

    private final class Worker extends Thread {
        private final SeedReport report = new SeedReport();
        private Throwable broken;

        Worker(String name) {
            super(name);
        }

        @Override
        public void run() {
            try {
                for (long first = takeChunk(); first <= seeds.last(); first = takeChunk()) {
                    for (long seed = first; seed < first + CHUNK && seed <= seeds.last() && !isBadEnough(); seed++) {
                        runSeed(seed);
                    }
                }
            } catch (Throwable e) {
                broken = e;
            }
        }

        private long takeChunk() {
            return isBadEnough() ? Long.MAX_VALUE : nextSeed.getAndAdd(CHUNK);
        }

        private void runSeed(long seed) {
            Schedule schedule = Schedule.of(seed, scenarios, ranks);
            Outcome outcome = schedule.run(EventLog.hashing());
            report.add(schedule, outcome);
            schedules.increment();
            events.add(outcome.events());
            if (outcome.violation() != null) {
                fail(schedule, outcome.violation());
            } else if (seed % TWICE_EVERY == 0) {
                Outcome again = schedule.run(EventLog.hashing());
                if (again.logHash() != outcome.logHash()) {
                    fail(schedule, new Violation("the same seed gave another log when run again"));
                }
            }
        }

        private void fail(Schedule schedule, Violation violation) {
            failed.incrementAndGet();
            SeedReport.Failure failure = new SeedReport.Failure(schedule, violation);
            report.add(failure);
            unseen.add(failure);
        }
    }
}
