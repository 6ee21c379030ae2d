package org.ulfmj.benchmarks;

import java.util.Arrays;

/**
 * What one job took for one cell in one launch.
 *
 * @param micros one figure a round, in µs per operation, ascending
 * @param foreign processor time that was not the job's, as a share of all cores, while the cell was measured
 * @param steal the same of what the host took
 */
record Result(
        String group, int ranks, Cell cell, int launch, String job, double[] micros, double foreign, double steal) {
    Result {
        Arrays.sort(micros);
    }

    double minimum() {
        return micros[0];
    }

    double median() {
        return quantile(0.5);
    }

    /** The smallest figure that at least this share of the rounds does not exceed. */
    double quantile(double share) {
        return micros[Math.max(0, (int) Math.ceil(share * micros.length) - 1)];
    }

    /** Where the figure belongs, whatever job and launch it is of. */
    String place() {
        return group + "/" + ranks + "/" + cell.name();
    }
}
