package org.ulfmj.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ulfmj.benchmarks.job.Death;
import org.ulfmj.benchmarks.job.Dying;
import org.ulfmj.benchmarks.job.MeasuredJob;
import org.ulfmj.benchmarks.job.ThreadAccount;
import org.ulfmj.benchmarks.peer.Ours;
import org.ulfmj.benchmarks.profile.FlightProfile;
import org.ulfmj.benchmarks.profile.Parts;
import org.ulfmj.benchmarks.result.Result;
import org.ulfmj.benchmarks.result.Sample;

/**
 * Kills the last rank while all others wait in a barrier. Measured are when {@code /proc} shows the rank as dead, when
 * the last survivor has its error, and, unless the killed rank has a large heap, how long the survivors' shrinks take:
 * a cold one after each death, and many after the first death. A job per death. The clock is the host's, the same in
 * all processes. For some numbers of ranks further jobs measure processor time.
 */
final class FailureRun implements Measurement {
    /**
     * The number of shrinks after the first death is this number divided by the number of ranks, unless the killed rank
     * has a large heap (then it is 1). The last 200 shrinks are the warm ones.
     */
    private static final int SHRINKS_TIMES_RANKS = 40_000;

    private static final int PROFILED = 5;

    private final Ours ours;
    private final int ranks;
    private final int deaths;
    private final int megabytes;

    /** @param megabytes in the memory of the rank that is killed, and of no other */
    FailureRun(Ours ours, int ranks, int deaths, int megabytes) {
        this.ours = ours;
        this.ranks = ranks;
        this.deaths = deaths;
        this.megabytes = megabytes;
    }

    @Override
    public String title() {
        return "failure np " + ranks + ", " + heap() + " in the killed rank";
    }

    @Override
    public List<String> names() {
        return List.of("failure");
    }

    @Override
    public boolean isOnce() {
        return true;
    }

    @Override
    public List<Result> run(int launch) throws IOException, InterruptedException {
        Sample sample = new Sample("failure", ranks);
        for (int i = 0; i < deaths; i++) {
            die(sample, i == 0 && !isLarge() ? Math.max(2, SHRINKS_TIMES_RANKS / ranks) : 1);
        }
        List<Result> results = new ArrayList<>(sample.results(launch, -1));
        Optional<FlightProfile> profile = isLarge() ? Optional.empty() : FlightProfile.of("death", ranks);
        if (profile.isPresent()) {
            results.addAll(processorTime().results(profile.get(), launch));
        }
        return results;
    }

    private void die(Sample sample, int shrinks) throws IOException, InterruptedException {
        try (MeasuredJob job = start()) {
            Dying dying = new Dying(job, ranks, megabytes, shrinks);
            Death death = dying.kill();
            long lastErrorNs = dying.lastErrorNs();
            sample.add("Z, " + heap(), (death.seenNs() - death.killedNs()) / 1e3);
            sample.add("error, " + heap(), (lastErrorNs - death.killedNs()) / 1e3);
            sample.add("error after Z, " + heap(), (lastErrorNs - death.seenNs()) / 1e3);
            long[] shrinksNs = dying.shrinks();
            if (!isLarge()) {
                // The figures of shrinks are added in one kind of runs only: the survivors use little memory, whether
                // or not the killed rank uses much.
                addShrinks(sample, shrinksNs);
            }
        }
    }

    private MeasuredJob start() throws IOException, InterruptedException {
        // Only the rank that is killed fills its heap. The other ranks get the same heap limit and use little of it.
        List<String> java = List.of("-Xmx" + (megabytes + megabytes / 4 + 512) + "m");
        return MeasuredJob.start(ours.cells(Result.OURS, ranks, "shm", List.of(), java), ranks);
    }

    private static void addShrinks(Sample sample, long[] ns) {
        sample.add("first shrink", ns[0] / 1e3);
        for (int i = 1; i < ns.length; i++) {
            sample.add("shrink", ns[i] / 1e3);
        }
    }

    /**
     * Measures the processor time of the survivors and the launcher from the signal to the end of the first shrink, in
     * separate jobs.
     */
    private Parts processorTime() throws IOException, InterruptedException {
        Parts parts = new Parts();
        for (int i = 0; i < Math.min(deaths, PROFILED); i++) {
            try (MeasuredJob job = start()) {
                Dying dying = new Dying(job, ranks, megabytes, 1);
                ThreadAccount before = ThreadAccount.of(job);
                dying.kill();
                dying.lastErrorNs();
                dying.shrinks();
                ThreadAccount.of(job).since(before).forEach(parts::add);
            }
        }
        return parts;
    }

    private boolean isLarge() {
        return megabytes >= 1024;
    }

    private String heap() {
        return isLarge() ? megabytes / 1024 + "g" : megabytes + "m";
    }
}
