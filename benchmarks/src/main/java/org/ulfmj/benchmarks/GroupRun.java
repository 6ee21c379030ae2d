package org.ulfmj.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.ulfmj.benchmarks.job.CpuTimes;
import org.ulfmj.benchmarks.job.Hog;
import org.ulfmj.benchmarks.job.JobSpec;
import org.ulfmj.benchmarks.job.MeasuredJob;
import org.ulfmj.benchmarks.result.Result;

/**
 * Measures a group. A launch starts the jobs of the group, some of them only in the first launch, and asks each in turn
 * for a round of a cell, in an order that rotates, until there are rounds enough, and so on with the next cell; if the
 * group compares its cells with each other, the rounds of all its cells alternate. One job is asked at a time. A job
 * that fails is left out from then on.
 */
final class GroupRun implements Measurement {
    /**
     * If an operation takes less time than this in any job, all cells that are measured together get the larger number
     * of rounds, unless the settings give a number.
     */
    private static final double SHORT_MICROS = 10;

    private static final int SHORT_ROUNDS = 31;
    private static final int LONG_ROUNDS = 11;

    /**
     * A job that takes this many times as long as the fastest one is asked for {@link #FEW_ROUNDS} rounds at most, for
     * instance a program that spins where ranks exceed cores; not in a group that compares its cells with each other.
     */
    private static final double FAR_BEHIND = 20;

    private static final int FEW_ROUNDS = 5;

    private final CellGroup group;
    private final CompareSettings settings;
    private final PrintStream out;
    private final List<MeasuredJob> jobs = new ArrayList<>();
    private final Set<MeasuredJob> silent = new HashSet<>();
    private Hog hog;

    GroupRun(CellGroup group, CompareSettings settings, PrintStream out) {
        this.group = group;
        this.settings = settings;
        this.out = out;
    }

    @Override
    public String title() {
        return group.name() + " np " + group.ranks();
    }

    @Override
    public List<String> names() {
        return group.cells().stream().map(Cell::name).toList();
    }

    @Override
    public boolean isOnce() {
        return group.isOnce();
    }

    @Override
    public List<Result> run(int launch) throws IOException, InterruptedException {
        List<Result> results = new ArrayList<>();
        jobs.clear();
        silent.clear();
        try {
            if (group.cells().stream().anyMatch(Cell::besideHog)) {
                hog = new Hog();
            }
            for (JobSpec spec : group.jobs()) {
                if (launch == 1 || !spec.isOnce()) {
                    start(spec);
                }
            }
            for (List<Cell> step : group.steps()) {
                results.addAll(measure(step, launch));
            }
        } finally {
            jobs.forEach(MeasuredJob::close);
            if (hog != null) {
                hog.close();
            }
        }
        return results;
    }

    private void start(JobSpec spec) throws InterruptedException {
        try {
            jobs.add(MeasuredJob.start(spec, group.ranks()));
        } catch (IOException e) {
            out.println("  " + spec.label() + " is left out at np " + group.ranks() + ": " + e.getMessage());
        }
    }

    private List<Result> measure(List<Cell> cells, int launch) throws InterruptedException {
        List<Turn> turns = new ArrayList<>();
        for (Cell cell : cells) {
            jobs.stream().filter(job -> job.runs(cell.name())).forEach(job -> turns.add(new Turn(job, cell, hog)));
        }
        for (Turn turn : turns) {
            attempt(turn, () -> turn.warmUp(settings.roundNs()));
        }
        int rounds = rounds(turns);
        double fastest = turns.stream()
                .filter(turn -> !silent.contains(turn.job()))
                .mapToDouble(Turn::roughMicros)
                .min()
                .orElse(0);
        CpuTimes before = CpuTimes.now();
        long ownBefore = ownTicks();
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < turns.size(); i++) {
                Turn turn = turns.get((round + i) % turns.size());
                if (round < FEW_ROUNDS || group.together() || turn.roughMicros() < FAR_BEHIND * fastest) {
                    attempt(turn, turn::ask);
                }
            }
        }
        CpuTimes passed = CpuTimes.now().since(before);
        double foreign = Math.max(0, passed.busy() - (ownTicks() - ownBefore)) / (double) passed.all();
        double steal = passed.steal() / (double) passed.all();
        List<Result> results = turns.stream()
                .filter(turn -> !silent.contains(turn.job()))
                .map(turn -> new Result(
                        group.name(),
                        group.ranks(),
                        turn.cell().name(),
                        turn.cell().title(),
                        launch,
                        turn.job().label(),
                        turn.micros(),
                        foreign,
                        steal))
                .toList();
        ProgressLine.report(results, out);
        return results;
    }

    private int rounds(List<Turn> turns) {
        if (settings.rounds() > 0) {
            return settings.rounds();
        }
        boolean isShort = turns.stream()
                .filter(turn -> !silent.contains(turn.job()))
                .anyMatch(turn -> turn.roughMicros() < SHORT_MICROS);
        return isShort ? SHORT_ROUNDS : LONG_ROUNDS;
    }

    /** A request to a job. It fails with an exception if the job does not answer as it must. */
    private interface Asked {
        void run() throws IOException, InterruptedException;
    }

    private void attempt(Turn turn, Asked asked) throws InterruptedException {
        if (silent.contains(turn.job())) {
            return;
        }
        try {
            asked.run();
        } catch (IOException e) {
            silent.add(turn.job());
            out.println("  " + turn.job().label() + " is left out from "
                    + turn.cell().name() + " at np " + group.ranks() + " on: " + e.getMessage());
        }
    }

    private long ownTicks() {
        return jobs.stream().mapToLong(MeasuredJob::ticks).sum() + CpuTimes.own() + (hog == null ? 0 : hog.ticks());
    }
}
