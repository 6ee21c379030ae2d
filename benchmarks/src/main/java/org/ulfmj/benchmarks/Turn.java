package org.ulfmj.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.ulfmj.benchmarks.job.Hog;
import org.ulfmj.benchmarks.job.MeasuredJob;

/** One job's part in the rounds of a cell: it finds out by itself how many operations fill a round. */
final class Turn {
    /** For up to four ranks; more ranks mean more virtual machines whose compilers share the processors. */
    private static final double WARM_UP_LIMIT_NS = 6e9;

    /**
     * For jobs so slow that a full warm-up of each cell would take minutes; what they warm up they keep for the next
     * cell.
     */
    private static final double SLOW_WARM_UP_LIMIT_NS = 2e9;

    private static final int RANKS_A_LIMIT = 4;
    private static final int LEAST_OPERATIONS = 3;
    private static final int MOST_TO_SETTLE = 2_000;

    private final MeasuredJob job;
    private final Cell cell;
    private final Hog hog;
    private final List<Double> micros = new ArrayList<>();
    private long operations;
    private double nsAnOperation;

    /** @param hog runs while this cell does, if it wants one */
    Turn(MeasuredJob job, Cell cell, Hog hog) {
        this.job = job;
        this.cell = cell;
        this.hog = hog;
    }

    MeasuredJob job() {
        return job;
    }

    Cell cell() {
        return cell;
    }

    /** About how long what is measured takes once. */
    double roughMicros() {
        return nsAnOperation / 1e3 / cell.parts();
    }

    /** One figure a round, in µs. */
    double[] micros() {
        return micros.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** Warm-up by count: more and more calls, until there were enough, or they take too long for that. */
    void warmUp(double roundNs) throws IOException, InterruptedException {
        long done = 0;
        double spentNs = 0;
        double limitNs =
                job.isOnce() ? SLOW_WARM_UP_LIMIT_NS : WARM_UP_LIMIT_NS * Math.max(1, job.ranks() / RANKS_A_LIMIT);
        for (long calls = LEAST_OPERATIONS; done < cell.warmUp() && spentNs < limitNs; calls *= 4) {
            long asked = Math.min(calls, Math.max(1, cell.warmUp() - done));
            if (nsAnOperation > 0) {
                asked = Math.min(asked, Math.max(1, (long) ((limitNs - spentNs) / nsAnOperation)));
            }
            nsAnOperation = round(0, asked) / asked;
            spentNs += nsAnOperation * asked;
            done += asked;
        }
        // Once more, in a round of full length: what a short one takes is mostly the way into it.
        operations = fill(roundNs);
        nsAnOperation = round(0, operations) / operations;
        operations = fill(roundNs);
    }

    /** A round that counts. */
    void ask() throws IOException, InterruptedException {
        long settle = Math.max(1, Math.min(MOST_TO_SETTLE, operations / 20));
        micros.add(round(settle, operations) / 1e3 / operations / cell.parts());
    }

    private double round(long settle, long count) throws IOException, InterruptedException {
        if (!cell.besideHog()) {
            return job.round(cell.work(), cell.bytes(), settle, count);
        }
        hog.run();
        try {
            return job.round(cell.work(), cell.bytes(), settle, count);
        } finally {
            hog.rest();
        }
    }

    private long fill(double roundNs) {
        return Math.max(LEAST_OPERATIONS, (long) (roundNs / Math.max(1, nsAnOperation)));
    }
}
