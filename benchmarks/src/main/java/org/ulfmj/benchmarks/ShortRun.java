package org.ulfmj.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ulfmj.benchmarks.job.JobSpec;
import org.ulfmj.benchmarks.result.Result;
import org.ulfmj.benchmarks.result.Sample;

/**
 * Measures whole short jobs, which make as many calls as they can in the first second, or the first three seconds,
 * after the return of Init: ping-pong of 8 B and of 1 KiB, allreduce of 8 B, barrier and bcast of 1 KiB in equal turns.
 * The figure is the time per call; a job that makes a twentieth of Open MPI's calls has 20 times its figure.
 */
final class ShortRun implements Measurement {
    static final String GROUP = "short";

    /** The lengths of the jobs, in seconds. */
    static final List<Integer> LENGTHS = List.of(1, 3);

    private static final String WORK = "mix";
    private static final int CALLS_PER_TURN = 5;

    private final List<JobSpec> specs;
    private final int ranks;
    private final int seconds;
    private final int jobs;
    private final PrintStream out;

    /**
     * @param specs our job, and the jobs that it is compared with
     * @param jobs how many jobs of each spec count in a launch
     */
    ShortRun(List<JobSpec> specs, int ranks, int seconds, int jobs, PrintStream out) {
        this.specs = specs;
        this.ranks = ranks;
        this.seconds = seconds;
        this.jobs = jobs;
        this.out = out;
    }

    @Override
    public String title() {
        return GROUP + " np " + ranks + ", jobs of " + name(seconds);
    }

    @Override
    public List<String> names() {
        return List.of(GROUP);
    }

    @Override
    public List<Result> run(int launch) throws IOException, InterruptedException {
        Sample sample = new Sample(GROUP, ranks);
        Map<String, List<Long>> calls = new LinkedHashMap<>();
        long ownTicks = new WholeJobs(specs, ranks, out).inTurns(WORK, seconds, jobs, (job, counts) -> {
            long done = CALLS_PER_TURN * Arrays.stream(counts).sum();
            calls.computeIfAbsent(job, key -> new ArrayList<>()).add(done);
            sample.add(name(seconds), job, micros(done, seconds));
        });
        calls.forEach((job, done) -> out.println(
                "  calls done in each job of " + name(seconds) + " of " + job + " at np " + ranks + ": " + done));
        return sample.results(launch, ownTicks).stream().map(this::titled).toList();
    }

    /** The name of the jobs of this length. */
    static String name(int seconds) {
        return seconds + " s";
    }

    /**
     * The time per call in µs. If a job has not finished a single turn of calls, it counts as one turn in the whole
     * time.
     */
    static double micros(long calls, int seconds) {
        return 1e6 * seconds / Math.max(CALLS_PER_TURN, calls);
    }

    private Result titled(Result result) {
        return new Result(
                result.group(),
                result.ranks(),
                result.name(),
                "time per call in a job of " + name(seconds) + ": ping-pong of 8 B and 1 KiB, allreduce of 8 B,"
                        + " barrier, bcast of 1 KiB",
                result.launch(),
                result.job(),
                result.micros(),
                result.foreign(),
                result.steal());
    }
}
