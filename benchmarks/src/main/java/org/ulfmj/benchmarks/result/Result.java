package org.ulfmj.benchmarks.result;

import java.util.Arrays;

/**
 * The figures of one job for one measurement in one launch.
 *
 * @param name of the measurement, as {@code pp:8}
 * @param title the name for a reader
 * @param micros one figure per round or single event, ascending; in µs per operation, or in the unit of the group
 * @param foreign processor time of other processes meanwhile, as a share of all cores
 * @param steal processor time that the host took meanwhile, as a share of all cores
 * @param setup the machine and software, as {@code Machine} describes them; empty while it is not set
 */
public record Result(
        String group,
        int ranks,
        String name,
        String title,
        int launch,
        String job,
        double[] micros,
        double foreign,
        double steal,
        String setup) {
    /** The name of our own job, with which all others are compared. */
    public static final String OURS = "ours";

    public Result {
        if (micros.length == 0) {
            throw new IllegalArgumentException(group + "/" + ranks + "/" + name + " of " + job + " has no figures");
        }
        Arrays.sort(micros);
    }

    public Result(
            String group,
            int ranks,
            String name,
            String title,
            int launch,
            String job,
            double[] micros,
            double foreign,
            double steal) {
        this(group, ranks, name, title, launch, job, micros, foreign, steal, "");
    }

    /** The same result with this setup. */
    public Result with(String setup) {
        return new Result(group, ranks, name, title, launch, job, micros, foreign, steal, setup);
    }

    public double minimum() {
        return micros[0];
    }

    public double median() {
        return quantile(0.5);
    }

    /**
     * Returns the smallest figure for which at least this share of the figures has that value or a smaller one. It is
     * computed from all figures and not from a histogram.
     */
    public double quantile(double share) {
        return quantile(micros, share);
    }

    public static double quantile(double[] ascending, double share) {
        return ascending[Math.max(0, (int) Math.ceil(share * ascending.length) - 1)];
    }

    /** The place of the figures: group, ranks and name. It does not depend on the job and the launch. */
    public String place() {
        return group + "/" + ranks + "/" + name;
    }

    public boolean isOurs() {
        return job.equals(OURS);
    }

    /** Whether the job is an Open MPI in C, which some of the bars have as their reference. */
    public boolean isOpenMpi() {
        return job.equals("ompi") || job.equals("ompi@");
    }
}
