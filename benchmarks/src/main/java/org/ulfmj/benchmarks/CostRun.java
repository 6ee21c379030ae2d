package org.ulfmj.benchmarks;

import java.io.IOException;
import java.util.List;
import org.ulfmj.benchmarks.job.MeasuredJob;
import org.ulfmj.benchmarks.job.ThreadTimes;
import org.ulfmj.benchmarks.peer.Ours;
import org.ulfmj.benchmarks.result.Result;
import org.ulfmj.benchmarks.result.Sample;

/**
 * Measures what calls allocate, how much processor time a waiting rank takes, and how much the progress thread of a
 * computing rank takes.
 */
final class CostRun implements Measurement {
    private static final int OPERATIONS = 20_000;
    private static final int WARM_UP_CALLS = 5;
    private static final int LOOK_MS = 2_000;
    private static final List<String> CALLS = List.of("send", "isend", "persistent", "barrier", "allreduce", "agree");

    private final Ours ours;

    CostRun(Ours ours) {
        this.ours = ours;
    }

    @Override
    public String title() {
        return "allocation and processor time np 2";
    }

    @Override
    public List<String> names() {
        return List.of("allocation", "processor");
    }

    @Override
    public List<Result> run(int launch) throws IOException, InterruptedException {
        Sample allocation = new Sample("allocation", 2);
        Sample processor = new Sample("processor", 2);
        try (MeasuredJob job = MeasuredJob.start(ours.cells(Result.OURS, 2, "shm"), 2)) {
            for (String call : CALLS) {
                allocate(job, call, allocation);
            }
            processor(job, processor);
        }
        List<Result> results = new java.util.ArrayList<>(allocation.results(launch, -1));
        results.addAll(processor.results(launch, -1));
        return results;
    }

    private static void allocate(MeasuredJob job, String call, Sample sample) throws IOException, InterruptedException {
        for (int i = 0; i < WARM_UP_CALLS + 3; i++) {
            job.order("allocate " + call + " " + OPERATIONS);
            for (int rank = 0; rank < 2; rank++) {
                String[] words = job.answer("allocated", 60).split(" ");
                if (i >= WARM_UP_CALLS) {
                    String name = words[1].equals("0") ? call : call.replace("send", "recv");
                    // The figures of rank 1 count as those of recv and irecv; in other calls both ranks count alike.
                    sample.add(name, Long.parseLong(words[2]) / (double) OPERATIONS);
                }
            }
        }
    }

    private static void processor(MeasuredJob job, Sample sample) throws IOException, InterruptedException {
        for (int i = 0; i < 3; i++) {
            long before = ThreadTimes.ns(job.pid(1), "");
            job.order("wait " + LOOK_MS);
            job.answer("waited", 60);
            sample.add("waiting", (ThreadTimes.ns(job.pid(1), "") - before) / 1e3 / (LOOK_MS / 1e3));
            before = ThreadTimes.ns(job.pid(1), "ulfm-progress");
            job.order("compute " + LOOK_MS);
            job.answer("computed", 60);
            sample.add(
                    "progress thread", (ThreadTimes.ns(job.pid(1), "ulfm-progress") - before) / 1e3 / (LOOK_MS / 1e3));
        }
    }
}
