package org.ulfmj.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ulfmj.benchmarks.job.CpuTimes;
import org.ulfmj.benchmarks.job.MeasuredJob;
import org.ulfmj.benchmarks.job.ThreadAccount;
import org.ulfmj.benchmarks.peer.Ours;
import org.ulfmj.benchmarks.profile.FlightProfile;
import org.ulfmj.benchmarks.profile.Parts;
import org.ulfmj.benchmarks.result.Result;
import org.ulfmj.benchmarks.result.Sample;

/**
 * Revokes one communicator, plan A, at rank 0 while all other ranks wait in it. All ranks then use another one, plan B.
 * Measured are, besides {@link #PARTS}, when the first and the last of the other ranks know, and how long the first
 * three collectives of plan B take. For some numbers of ranks the first launch also measures processor time.
 */
final class RevokeRun implements Measurement {
    /** The number of revokes that warm up is this number divided by the number of ranks. */
    private static final int WARM_UP_TIMES_RANKS = 20_000;
    /**
     * How many revokes come before the warm-up; their figures are kept apart, as those of a program that has just
     * begun.
     */
    private static final int COLD = 20;

    private static final int ASLEEP_MS = 20;
    private static final int PROFILED = 100;

    /**
     * Figures of each repetition: the revoke call at rank 0, a broadcast of 8 bytes until the last rank has it, and a
     * further call that raises the error, at the quickest rank.
     */
    static final List<String> PARTS = List.of("revoke() itself", "bcast:8 to the last", "a further error");

    private final Ours ours;
    private final int ranks;
    private final int repetitions;

    /**
     * @param repetitions the number of measured revokes, after the warm-up, that find the other ranks polling; a tenth
     *     of this number, but at least three, finds them asleep
     */
    RevokeRun(Ours ours, int ranks, int repetitions) {
        this.ours = ours;
        this.ranks = ranks;
        this.repetitions = repetitions;
    }

    @Override
    public String title() {
        return "revoke np " + ranks;
    }

    @Override
    public List<String> names() {
        return List.of("revoke");
    }

    @Override
    public boolean isOnce() {
        return RunPlan.isCrowded(ranks);
    }

    @Override
    public List<Result> run(int launch) throws IOException, InterruptedException {
        Sample sample = new Sample("revoke", ranks);
        List<Result> profiled = List.of();
        long own;
        try (MeasuredJob job = MeasuredJob.start(ours.cells(Result.OURS, ranks, "shm"), ranks)) {
            long ownBefore = job.ticks() + CpuTimes.own();
            revoke(job, 0, COLD, sample, "polling, the first");
            revoke(job, 0, WARM_UP_TIMES_RANKS / ranks, new Sample("warm-up", ranks), "");
            revoke(job, 0, repetitions, sample, "polling");
            revoke(job, ASLEEP_MS, Math.max(3, repetitions / 10), sample, "asleep");
            own = job.ticks() + CpuTimes.own() - ownBefore;
            Optional<FlightProfile> profile = launch == 1 ? FlightProfile.of("revoke", ranks) : Optional.empty();
            if (profile.isPresent()) {
                profiled = processorTime(job).results(profile.get(), launch);
            }
        }
        List<Result> results = new ArrayList<>(sample.results(launch, own));
        results.addAll(profiled);
        return results;
    }

    /**
     * Runs repetitions that find the other ranks asleep. Returns the processor time that all processes of the job, the
     * launcher included, took meanwhile, by the purpose of their threads. It includes the barriers and collectives
     * around the revocation.
     */
    private Parts processorTime(MeasuredJob job) throws IOException, InterruptedException {
        Parts parts = new Parts();
        ThreadAccount before = ThreadAccount.of(job);
        revoke(job, ASLEEP_MS, PROFILED, new Sample("profile", ranks), "asleep");
        ThreadAccount.of(job).since(before).forEach(parts::add);
        return parts;
    }

    private static void revoke(MeasuredJob job, int sleepMs, int times, Sample sample, String others)
            throws IOException, InterruptedException {
        job.order("revoke " + sleepMs + " " + times);
        for (int i = 0; i < times; i++) {
            String[] words = job.answer("revoked", 60).split(" ");
            sample.add("first, " + others, Long.parseLong(words[1]) / 1e3);
            sample.add("last, " + others, Long.parseLong(words[2]) / 1e3);
            sample.add("1st collective, " + others, Long.parseLong(words[3]) / 1e3);
            sample.add("2nd collective, " + others, Long.parseLong(words[4]) / 1e3);
            sample.add("3rd collective, " + others, Long.parseLong(words[5]) / 1e3);
            sample.add("revoke() itself, " + others, Long.parseLong(words[6]) / 1e3);
            sample.add("a further error, " + others, Long.parseLong(words[7]) / 1e3);
            sample.add("bcast:8 to the last, " + others, Long.parseLong(words[8]) / 1e3);
        }
    }
}
