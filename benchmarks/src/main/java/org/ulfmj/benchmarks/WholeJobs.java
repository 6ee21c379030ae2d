package org.ulfmj.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.ulfmj.benchmarks.job.CpuTimes;
import org.ulfmj.benchmarks.job.JobSpec;
import org.ulfmj.benchmarks.job.WholeJob;
import org.ulfmj.benchmarks.result.Result;
import org.ulfmj.benchmarks.result.Windows;

/** Whole jobs of ours and of others, started in turns as a user would start them. */
final class WholeJobs {
    private final List<JobSpec> specs;
    private final int ranks;
    private final PrintStream out;

    WholeJobs(List<JobSpec> specs, int ranks, PrintStream out) {
        this.specs = new ArrayList<>(specs);
        this.ranks = ranks;
        this.out = out;
    }

    /** Takes the numbers of operations that one job has completed in each window. */
    interface Counted {
        void add(String job, long[] counts);
    }

    /**
     * Runs {@code jobs} jobs of each spec, in an order that rotates. Before them one job of each spec runs without
     * being counted, so that its files are in memory, and our archive of classes is made if there is none. A spec whose
     * job fails is left out from then on; if it is our job, the failure is thrown.
     *
     * @return processor time of all these jobs and of this process meanwhile, in the kernel's ticks
     */
    long inTurns(String work, int seconds, int jobs, Counted counted) throws IOException, InterruptedException {
        long before = CpuTimes.children() + CpuTimes.own();
        for (JobSpec spec : List.copyOf(specs)) {
            attempt(spec, work, 1, (job, counts) -> {});
        }
        for (int round = 0; round < jobs; round++) {
            List<JobSpec> order = new ArrayList<>(specs);
            Collections.rotate(order, -round);
            for (JobSpec spec : order) {
                attempt(spec, work, seconds, counted);
            }
        }
        return CpuTimes.children() + CpuTimes.own() - before;
    }

    private void attempt(JobSpec spec, String work, int seconds, Counted counted)
            throws IOException, InterruptedException {
        try {
            counted.add(spec.label(), Windows.parse(WholeJob.run(spec, ranks, work, seconds), seconds));
        } catch (IOException e) {
            if (spec.label().equals(Result.OURS)) {
                throw e;
            }
            specs.remove(spec);
            out.println(
                    "  " + spec.label() + " is left out from " + work + " at np " + ranks + " on: " + e.getMessage());
        }
    }
}
