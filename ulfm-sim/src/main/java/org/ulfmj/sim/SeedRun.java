package org.ulfmj.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Runs many seeds, on several threads, each schedule alone on one of them. A seed that is a multiple of ten, and whose
 * run broke nothing, is run a second time and must give the same log hash.
 */
public final class SeedRun {
    private static final int TWICE_EVERY = 10;
    private static final int FEW = 5;
    private static final int CHUNK = 64;

    /** Called from time to time with the progress of a run, on the thread that waits for the run. */
    @FunctionalInterface
    public interface Watcher {
        void look(Progress progress);
    }

    /**
     * How far a run has come.
     *
     * @param seeds the number of seeds in all
     * @param failures the failed schedules since the last call of the watcher
     */
    public record Progress(
            long schedules, long seeds, long events, long violations, long tookNs, List<SeedReport.Failure> failures) {}

    private final List<Scenario> scenarios;
    private final SeedRange ranks;
    private final SeedRange seeds;
    private final int enoughFailures;
    private final AtomicLong failed = new AtomicLong();
    private final LongAdder schedules = new LongAdder();
    private final LongAdder events = new LongAdder();
    private final ConcurrentLinkedQueue<SeedReport.Failure> unseen = new ConcurrentLinkedQueue<>();

    /** Makes a run that stops early when five seeds have failed. */
    public SeedRun(List<Scenario> scenarios, SeedRange ranks, SeedRange seeds) {
        this(scenarios, ranks, seeds, FEW);
    }

    /**
     * Makes a run that stops early when enough seeds have failed.
     *
     * @param enoughFailures number of failures after which the rest of the seeds is not run
     */
    public SeedRun(List<Scenario> scenarios, SeedRange ranks, SeedRange seeds, int enoughFailures) {
        this.enoughFailures = enoughFailures;
        this.scenarios = List.copyOf(scenarios);
        this.ranks = ranks;
        this.seeds = seeds;
    }

    /** Runs all seeds, or stops early when enough have failed. */
    public SeedReport run(int threads) throws InterruptedException {
        return run(threads, Long.MAX_VALUE, progress -> {});
    }

    /**
     * Runs all seeds, or stops early when enough have failed. The watcher looks at the run in intervals of
     * {@code lookMillis} milliseconds or more, and at its end.
     */
    public SeedReport run(int threads, long lookMillis, Watcher watcher) throws InterruptedException {
        long startedNs = System.nanoTime();
        SeedThreads pool = new SeedThreads(seeds, CHUNK, () -> failed.get() >= enoughFailures);
        List<SeedReport> reports = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            SeedReport report = new SeedReport();
            reports.add(report);
            pool.start("simulation-" + i, seed -> runSeed(seed, report));
        }
        while (!pool.await(lookMillis)) {
            watcher.look(progress(startedNs));
        }
        SeedReport total = new SeedReport();
        scenarios.forEach(scenario -> scenario.mustCover().forEach(total.coverage()::require));
        reports.forEach(total::add);
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

    private void runSeed(long seed, SeedReport report) {
        Schedule schedule = Schedule.of(seed, scenarios, ranks);
        Outcome outcome = schedule.run(EventLog.hashing());
        report.add(schedule, outcome);
        schedules.increment();
        events.add(outcome.events());
        if (outcome.violation() != null) {
            fail(schedule, outcome.violation(), report);
        } else if (seed % TWICE_EVERY == 0) {
            Outcome again = schedule.run(EventLog.hashing());
            if (again.logHash() != outcome.logHash()) {
                fail(schedule, new Violation("the same seed gave another log when run again"), report);
            }
        }
    }

    private void fail(Schedule schedule, Violation violation, SeedReport report) {
        failed.incrementAndGet();
        SeedReport.Failure failure = new SeedReport.Failure(schedule, violation);
        report.add(failure);
        unseen.add(failure);
    }
}
