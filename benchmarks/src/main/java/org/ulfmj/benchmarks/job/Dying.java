package org.ulfmj.benchmarks.job;

import java.io.IOException;

/**
 * A job whose last rank is about to be killed while all others wait for it in a barrier; after the death they shrink.
 */
public final class Dying {
    /**
     * How long to wait for the ranks in the barrier to go to sleep and to prepare for deaths, which they begin at most
     * half a second after Init.
     */
    private static final long SETTLE_MS = 1_500;

    private final MeasuredJob job;
    private final int ranks;

    /**
     * Gives all ranks of a running job their orders, and returns 1.5 s after the last of them has answered that it is
     * ready.
     *
     * @param megabytes how much memory the last rank, which is killed, fills
     * @param shrinks how many shrinks the survivors make, the first of them cold
     */
    public Dying(MeasuredJob job, int ranks, int megabytes, int shrinks) throws IOException, InterruptedException {
        this.job = job;
        this.ranks = ranks;
        for (int rank = 0; rank < ranks - 1; rank++) {
            job.order(rank, "survive " + shrinks);
        }
        job.order(ranks - 1, "die " + megabytes);
        for (int rank = 0; rank < ranks; rank++) {
            job.answer("ready", 60);
        }
        Thread.sleep(SETTLE_MS);
    }

    public Death kill() throws IOException {
        return Death.of(job.pid(ranks - 1));
    }

    /**
     * Waits for the survivors' answers. Returns the time at which the last survivor had its error, by the clock that
     * all processes share.
     */
    public long lastErrorNs() throws IOException, InterruptedException {
        long lastErrorNs = 0;
        for (int rank = 0; rank < ranks - 1; rank++) {
            lastErrorNs =
                    Math.max(lastErrorNs, Long.parseLong(job.answer("error", 30).split(" ")[2]));
        }
        return lastErrorNs;
    }

    /**
     * Waits for the one answer about shrinks, that of rank 0, and returns the times in nanoseconds: that of the first
     * shrink, and then those of the last 200 or fewer.
     */
    public long[] shrinks() throws IOException, InterruptedException {
        String[] words = job.answer("shrunk", 300).split(" ");
        long[] ns = new long[words.length - 1];
        for (int i = 0; i < ns.length; i++) {
            ns[i] = Long.parseLong(words[i + 1]);
        }
        return ns;
    }
}
