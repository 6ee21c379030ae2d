package org.ulfmj.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.ulfmj.benchmarks.job.CpuTimes;
import org.ulfmj.benchmarks.job.Job;
import org.ulfmj.benchmarks.job.JobSpec;

/**
 * One launch of a group: starts its jobs, asks each in turn for a round of a cell, in an order that rotates, until there
 * are rounds enough, and so on with the next cell. Only the job that is asked runs, so that what disturbs one disturbs
 * the others alike.
 */
final class GroupRun {
    /** Cells whose operation takes less get the larger number of rounds. */
    private static final double SHORT_MICROS = 10;

    private static final int SHORT_ROUNDS = 31;
    private static final int LONG_ROUNDS = 11;
    private static final double WARM_UP_LIMIT_NS = 3e9;
    private static final int LEAST_OPERATIONS = 3;

    private final Group group;
    private final int launch;
    private final int rounds;
    private final double roundNs;
    private final PrintStream out;
    private final List<Job> jobs = new ArrayList<>();
    private final Set<Job> silent = new HashSet<>();

    /**
     * @param rounds of each job and cell; 0 for as many as the cell's duration asks for
     * @param roundNs how long a round is to take
     */
    GroupRun(Group group, int launch, int rounds, double roundNs, PrintStream out) {
        this.group = group;
        this.launch = launch;
        this.rounds = rounds;
        this.roundNs = roundNs;
        this.out = out;
    }

    List<Result> run() throws IOException, InterruptedException {
        List<Result> results = new ArrayList<>();
        try {
            for (JobSpec spec : group.jobs()) {
                start(spec);
            }
            for (Cell cell : group.cells()) {
                results.addAll(measure(cell));
            }
        } finally {
            jobs.forEach(Job::close);
        }
        return results;
    }

    private void start(JobSpec spec) throws InterruptedException {
        try {
            jobs.add(Job.start(spec, group.ranks()));
        } catch (IOException e) {
            out.println("  " + spec.label() + " is left out at np " + group.ranks() + ": " + e.getMessage());
        }
    }

    private List<Result> measure(Cell cell) throws IOException, InterruptedException {
        List<Turn> turns = new ArrayList<>();
        for (Job job : jobs) {
            if (!silent.contains(job)) {
                warmUp(cell, job, turns);
            }
        }
        double fastest =
                turns.stream().mapToDouble(turn -> turn.nsAnOperation).min().orElse(0);
        int wanted = rounds > 0 ? rounds : fastest / 1e3 / cell.parts() < SHORT_MICROS ? SHORT_ROUNDS : LONG_ROUNDS;
        CpuTimes before = CpuTimes.now();
        long ownBefore = ownTicks();
        for (int round = 0; round < wanted; round++) {
            for (int i = 0; i < turns.size(); i++) {
                ask(cell, turns.get((round + i) % turns.size()));
            }
        }
        CpuTimes passed = CpuTimes.now().since(before);
        double foreign = Math.max(0, passed.busy() - (ownTicks() - ownBefore)) / (double) passed.all();
        List<Result> results = new ArrayList<>();
        for (Turn turn : turns) {
            if (!silent.contains(turn.job)) {
                double[] micros =
                        turn.micros.stream().mapToDouble(Double::doubleValue).toArray();
                results.add(new Result(
                        group.name(),
                        group.ranks(),
                        cell,
                        launch,
                        turn.job.label(),
                        micros,
                        foreign,
                        passed.steal() / (double) passed.all()));
            }
        }
        report(cell, results);
        return results;
    }

    /** Warm-up by count: more and more calls, until there were enough, or they take too long for that. */
    private void warmUp(Cell cell, Job job, List<Turn> turns) throws InterruptedException {
        try {
            long done = 0;
            double spentNs = 0;
            double lastNs = 0;
            for (long calls = LEAST_OPERATIONS; done < cell.warmUp() && spentNs < WARM_UP_LIMIT_NS; calls *= 4) {
                long asked = Math.min(calls, Math.max(1, cell.warmUp() - done));
                lastNs = job.round(cell.work(), cell.bytes(), 0, asked);
                spentNs += lastNs;
                done += asked;
                lastNs /= asked;
            }
            // Measured once more in a round of full length: what a short one takes is mostly the way into it.
            long operations = operations(lastNs);
            lastNs = job.round(cell.work(), cell.bytes(), 0, operations) / (double) operations;
            turns.add(new Turn(job, lastNs, operations(lastNs)));
        } catch (IOException e) {
            leaveOut(job, cell, e);
        }
    }

    private void ask(Cell cell, Turn turn) throws InterruptedException {
        if (silent.contains(turn.job)) {
            return;
        }
        try {
            long settle = Math.max(1, Math.min(2_000, turn.operations / 20));
            long ns = turn.job.round(cell.work(), cell.bytes(), settle, turn.operations);
            turn.micros.add(ns / 1e3 / turn.operations / cell.parts());
        } catch (IOException e) {
            leaveOut(turn.job, cell, e);
        }
    }

    private void leaveOut(Job job, Cell cell, IOException why) {
        silent.add(job);
        out.println("  " + job.label() + " is left out from " + cell.name() + " at np " + group.ranks() + " on: "
                + why.getMessage());
    }

    private long operations(double nsAnOperation) {
        return Math.max(LEAST_OPERATIONS, (long) (roundNs / Math.max(1, nsAnOperation)));
    }

    private long ownTicks() {
        return jobs.stream().mapToLong(Job::ticks).sum() + CpuTimes.own();
    }

    private void report(Cell cell, List<Result> results) {
        StringBuilder line = new StringBuilder(
                String.format(Locale.ROOT, "%-9s np %-2d %-14s", group.name(), group.ranks(), cell.name()));
        for (Result result : results) {
            line.append(String.format(Locale.ROOT, "  %s %.3f/%.3f", result.job(), result.minimum(), result.median()));
        }
        if (!results.isEmpty()) {
            Result any = results.get(0);
            line.append(String.format(
                    Locale.ROOT,
                    "  µs min/median; foreign %.0f %%, steal %.0f %%",
                    100 * any.foreign(),
                    100 * any.steal()));
        }
        out.println(line);
        out.flush();
    }

    /** A job that takes part in a cell. */
    private static final class Turn {
        private final Job job;
        private final double nsAnOperation;
        private final long operations;
        private final List<Double> micros = new ArrayList<>();

        Turn(Job job, double nsAnOperation, long operations) {
            this.job = job;
            this.nsAnOperation = nsAnOperation;
            this.operations = operations;
        }
    }
}
