package org.ulfmj.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.ulfmj.benchmarks.job.Hog;
import org.ulfmj.benchmarks.job.MeasuredJob;

/** One job's part in the rounds of a cell. It determines how many operations fill a round. */
final class Turn {
    /**
     * The longest warm-up in ns, without its last round, for fewer than eight ranks. From eight ranks on the limit is
     * this number for each four ranks.
     */
    private static final double WARM_UP_LIMIT_NS = 6e9;

    /**
     * The longest warm-up in ns, without its last round, for jobs that are measured in the first launch only
     * ({@link MeasuredJob#isOnce}), whatever their number of ranks.
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

    /** @param hog the process that takes a core during the rounds of a cell that wants it; not used for other cells */
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

    /** The rough time of one operation, in µs. */
    double roughMicros() {
        return nsAnOperation / 1e3 / cell.parts();
    }

    /** The measured times per operation, one per round, in µs. */
    double[] micros() {
        return micros.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /**
     * Warms up by count: asks the job for more and more calls until there were enough, or until they take too long, and
     * then for one round of full length.
     */
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
        // The warm-up ends with one round of full length, since the time of a short round is mostly that of its
        // beginning and end.
        operations = fill(roundNs);
        nsAnOperation = round(0, operations) / operations;
        operations = fill(roundNs);
    }

    /** Runs a round that counts. */
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
