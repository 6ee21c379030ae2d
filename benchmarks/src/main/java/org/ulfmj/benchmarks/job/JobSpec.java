package org.ulfmj.benchmarks.job;

import java.util.List;
import java.util.Map;

/**
 * How a job is started.
 *
 * @param label names it in tables, as {@code ours} or {@code ompi}
 * @param command the launcher with its options and the program; the directory of the FIFOs is added behind it
 * @param environment set besides what we have
 * @param pinned ranks are to be bound to a core each by us, because the command does not do it
 * @param isOnce takes part in the first launch alone: so far behind that its warm-up would take most of the time
 */
public record JobSpec(
        String label, List<String> command, Map<String, String> environment, boolean pinned, boolean isOnce) {
    /** A job that takes part in each launch. */
    public JobSpec(String label, List<String> command, Map<String, String> environment, boolean pinned) {
        this(label, command, environment, pinned, false);
    }
}
