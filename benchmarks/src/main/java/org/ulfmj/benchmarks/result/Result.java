package org.ulfmj.benchmarks.result;

import java.util.Arrays;

/**
 * What one job took for one thing in one launch.
 *
 * @param name of what is measured, as {@code pp:8}
 * @param title what a reader calls it
 * @param micros one figure a round, in µs per operation, ascending
 * @param foreign processor time that was not the jobs', as a share of all cores, while it was measured
 * @param steal the same of what the host took
 * @param setup with what it was measured, as {@code Machine} describes it; empty as long as no process has said
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
    /** The job that all others are compared with. */
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

    /** The same, measured with this. */
    public Result with(String setup) {
        return new Result(group, ranks, name, title, launch, job, micros, foreign, steal, setup);
    }

    public double minimum() {
        return micros[0];
    }

    public double median() {
        return quantile(0.5);
    }

    /** The smallest figure that at least this share of the rounds does not exceed. */
    public double quantile(double share) {
        return quantile(micros, share);
    }

    public static double quantile(double[] ascending, double share) {
        return ascending[Math.max(0, (int) Math.ceil(share * ascending.length) - 1)];
    }

    /** Where the figure belongs, no matter what job and launch it is of. */
    public String place() {
        return group + "/" + ranks + "/" + name;
    }

    public boolean isOurs() {
        return job.equals(OURS);
    }

    /** Of an Open MPI in C, against which the bars are set. */
    public boolean isOpenMpi() {
        return job.equals("ompi") || job.equals("ompi@");
    }
}
