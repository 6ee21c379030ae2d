package org.ulfmj.benchmarks;

import java.io.IOException;
import java.util.List;
import org.ulfmj.benchmarks.job.CpuTimes;
import org.ulfmj.benchmarks.job.MeasuredJob;
import org.ulfmj.benchmarks.peer.Ours;
import org.ulfmj.benchmarks.result.Result;
import org.ulfmj.benchmarks.result.Sample;

/** Measures shrinks of a world in which no process has failed: the first one in the process, and later ones. */
final class ShrinkRun implements Measurement {
    private static final int SHRINKS = 200;

    private final Ours ours;
    private final int ranks;

    ShrinkRun(Ours ours, int ranks) {
        this.ours = ours;
        this.ranks = ranks;
    }

    @Override
    public String title() {
        return "shrink without a failure np " + ranks;
    }

    @Override
    public List<String> names() {
        return List.of("shrink");
    }

    @Override
    public boolean isOnce() {
        return RunPlan.isCrowded(ranks);
    }

    @Override
    public List<Result> run(int launch) throws IOException, InterruptedException {
        Sample sample = new Sample("shrink", ranks);
        try (MeasuredJob job = MeasuredJob.start(ours.cells(Result.OURS, ranks, "shm"), ranks)) {
            long ownBefore = job.ticks() + CpuTimes.own();
            job.order("shrink " + SHRINKS);
            String[] words = job.answer("shrunk", 120).split(" ");
            sample.add("first, without a failure", Long.parseLong(words[1]) / 1e3);
            for (int i = words.length / 2; i < words.length; i++) {
                sample.add("later, without a failure", Long.parseLong(words[i]) / 1e3);
            }
            return sample.results(launch, job.ticks() + CpuTimes.own() - ownBefore);
        }
    }
}
