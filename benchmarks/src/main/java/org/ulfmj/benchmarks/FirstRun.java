package org.ulfmj.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.ulfmj.benchmarks.job.JobSpec;
import org.ulfmj.benchmarks.result.Result;
import org.ulfmj.benchmarks.result.Sample;
import org.ulfmj.benchmarks.result.Windows;

/**
 * Measures one cell in the first seconds of jobs: the time per operation in each window of 100 ms from the return of
 * Init on. Whole jobs run one after the other, ours and those that it is compared with in turns.
 */
final class FirstRun implements Measurement {
    static final String GROUP = "first";

    private static final int SECONDS = 3;

    private final List<JobSpec> specs;
    private final int ranks;
    private final Cell cell;
    private final int jobs;
    private final PrintStream out;

    /**
     * @param specs our job, and the jobs that it is compared with
     * @param jobs how many jobs of each spec count in a launch
     */
    FirstRun(List<JobSpec> specs, int ranks, Cell cell, int jobs, PrintStream out) {
        this.specs = specs;
        this.ranks = ranks;
        this.cell = cell;
        this.jobs = jobs;
        this.out = out;
    }

    @Override
    public String title() {
        return GROUP + " np " + ranks + " " + cell.name();
    }

    @Override
    public List<String> names() {
        return List.of(GROUP + "/" + cell.name());
    }

    @Override
    public List<Result> run(int launch) throws IOException, InterruptedException {
        Sample sample = new Sample(GROUP, ranks);
        long ownTicks = new WholeJobs(specs, ranks, out)
                .inTurns(cell.work(), SECONDS, jobs, (job, counts) -> add(sample, job, counts));
        List<Result> windows = sample.results(launch, ownTicks);
        List<Result> results = new ArrayList<>(windows);
        results.addAll(Windows.spans(cell.name(), cell.title(), windows));
        return results;
    }

    private void add(Sample sample, String job, long[] counts) {
        for (int window = 0; window < counts.length; window++) {
            sample.add(Windows.at(cell.name(), window), job, Windows.micros(counts[window], cell.parts()));
        }
    }
}
