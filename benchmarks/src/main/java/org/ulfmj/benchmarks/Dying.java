package org.ulfmj.benchmarks;

import java.io.IOException;
import org.ulfmj.benchmarks.job.Death;
import org.ulfmj.benchmarks.job.MeasuredJob;

/** A job whose last rank is about to be killed while all others wait for it in a barrier, and then shrink. */
final class Dying {
    /**
     * This long that who waits has gone to sleep, and has made itself ready for deaths, which begins half a second
     * after Init.
     */
    private static final long SETTLE_MS = 1_500;

    private final MeasuredJob job;
    private final int ranks;

    /**
     * Returns when all are ready and asleep.
     *
     * @param megabytes that the one to die has in its memory
     * @param shrinks of the survivors, the first of them cold
     */
    Dying(MeasuredJob job, int ranks, int megabytes, int shrinks) throws IOException, InterruptedException {
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

    Death kill() throws IOException {
        return Death.of(job.pid(ranks - 1));
    }

    /** When the last survivor had its error, on the clock of all processes. */
    long lastErrorNs() throws IOException, InterruptedException {
        long lastErrorNs = 0;
        for (int rank = 0; rank < ranks - 1; rank++) {
            lastErrorNs =
                    Math.max(lastErrorNs, Long.parseLong(job.answer("error", 30).split(" ")[2]));
        }
        return lastErrorNs;
    }

    /** What shrinks took in nanoseconds, the first one first, and then the last of the others. */
    long[] shrinks() throws IOException, InterruptedException {
        String[] words = job.answer("shrunk", 300).split(" ");
        long[] ns = new long[words.length - 1];
        for (int i = 0; i < ns.length; i++) {
            ns[i] = Long.parseLong(words[i + 1]);
        }
        return ns;
    }
}
