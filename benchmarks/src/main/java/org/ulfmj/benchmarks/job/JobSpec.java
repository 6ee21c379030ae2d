package org.ulfmj.benchmarks.job;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The way to start a job.
 *
 * @param label the name of the job in tables, as {@code ours} or {@code ompi}
 * @param command the launcher with its options and the program; {@link MeasuredJob} adds the directory of the FIFOs as
 *     the last word, {@link WholeJob} the work, the seconds and a file
 * @param environment variables that are set besides those of this process
 * @param pinned whether this tool has to bind each rank to a core, because the command does not do it
 * @param isOnce whether cells are measured with the job in the first launch only, and after a shorter warm-up
 * @param runs whether the job can run a cell, by its name
 */
public record JobSpec(
        String label,
        List<String> command,
        Map<String, String> environment,
        boolean pinned,
        boolean isOnce,
        Predicate<String> runs) {
    /** A job that can run all cells. */
    public JobSpec(
            String label, List<String> command, Map<String, String> environment, boolean pinned, boolean isOnce) {
        this(label, command, environment, pinned, isOnce, cell -> true);
    }

    /** A job that can run all cells, in each launch that measures them. */
    public JobSpec(String label, List<String> command, Map<String, String> environment, boolean pinned) {
        this(label, command, environment, pinned, false);
    }
}
