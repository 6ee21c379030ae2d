package org.ulfmj.benchmarks;

import java.io.IOException;
import java.util.List;
import org.ulfmj.benchmarks.job.Death;
import org.ulfmj.benchmarks.job.Job;

/**
 * The last rank is killed while all others wait in a barrier: when {@code /proc} shows it as dead, when the last survivor
 * has its error, and what the survivors' first and later shrinks take: a cold one after each death, many after the first.
 * A job for each death. The clock is the host's, the same in all processes.
 */
final class FailureRun implements Measurement {
    /** So long that who waits has gone to sleep, and has made itself ready for deaths, which begins half a second after Init. */
    private static final long SETTLE_MS = 1_500;

    /**
     * After the first death, by ranks: the last 200 of them are the warm ones. Compilers have come to an end with most of what a
     * shrink runs after four thousand of them, and with all of it after ten.
     */
    private static final int SHRINKS_TIMES_RANKS = 40_000;

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
        return sample.results(launch, -1);
    }

    private void die(Sample sample, int shrinks) throws IOException, InterruptedException {
        // Only the rank that is to die fills its heap; the others get the same bound and do not use it.
        List<String> java = List.of("-Xmx" + (megabytes + megabytes / 4 + 512) + "m");
        try (Job job = Job.start(ours.cells(Result.OURS, ranks, "shm", List.of(), java), ranks)) {
            for (int rank = 0; rank < ranks - 1; rank++) {
                job.order(rank, "survive " + shrinks);
            }
            job.order(ranks - 1, "die " + megabytes);
            for (int rank = 0; rank < ranks; rank++) {
                job.answer("ready", 60);
            }
            Thread.sleep(SETTLE_MS);
            Death death = Death.of(job.pid(ranks - 1));
            long lastErrorNs = 0;
            for (int rank = 0; rank < ranks - 1; rank++) {
                lastErrorNs = Math.max(
                        lastErrorNs, Long.parseLong(job.answer("error", 30).split(" ")[2]));
            }
            sample.add("Z, " + heap(), (death.seenNs() - death.killedNs()) / 1e3);
            sample.add("error, " + heap(), (lastErrorNs - death.killedNs()) / 1e3);
            sample.add("error after Z, " + heap(), (lastErrorNs - death.seenNs()) / 1e3);
            String[] words = job.answer("shrunk", 300).split(" ");
            if (!isLarge()) {
                // The survivors have little in memory either way: one of the two is enough.
                addShrinks(sample, words);
            }
        }
    }

    private void addShrinks(Sample sample, String[] words) {
        sample.add("first shrink", Long.parseLong(words[1]) / 1e3);
        for (int i = 2; i < words.length; i++) {
            sample.add("shrink", Long.parseLong(words[i]) / 1e3);
        }
    }

    private boolean isLarge() {
        return megabytes >= 1024;
    }

    private String heap() {
        return isLarge() ? megabytes / 1024 + "g" : megabytes + "m";
    }
}
