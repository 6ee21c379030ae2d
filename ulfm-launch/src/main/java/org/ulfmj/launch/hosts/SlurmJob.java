package org.ulfmj.launch.hosts;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ulfmj.command.UsageException;

/** Reads the nodes of the Slurm job in which the launcher runs, from the environment variables that Slurm sets. */
public final class SlurmJob {
    public static final String ID = "SLURM_JOB_ID";
    public static final String NODES = "SLURM_JOB_NODELIST";

    private static final String NODE_COUNT = "SLURM_JOB_NUM_NODES";
    private static final List<String> TASKS = List.of("SLURM_TASKS_PER_NODE", "SLURM_JOB_CPUS_PER_NODE");

    private SlurmJob() {}

    /** Whether an environment names the nodes of a Slurm job. */
    public static boolean isIn(Map<String, String> environment) {
        return environment.containsKey(ID)
                && !environment.getOrDefault(NODES, "").isBlank();
    }

    /**
     * The nodes in Slurm's order, each with as many slots as the Slurm job has tasks on it, or processors if the
     * environment does not give the tasks; one slot if it gives neither.
     *
     * @throws UsageException if the variables contradict each other
     * @throws IllegalArgumentException if the variables cannot be understood
     */
    public static List<HostSlots> nodes(Map<String, String> environment) {
        List<String> names = NodeList.parse(NODES, environment.get(NODES).trim());
        String count = environment.get(NODE_COUNT);
        if (count != null && !count.trim().equals(Integer.toString(names.size()))) {
            throw new UsageException(NODES + " has " + names.size() + " nodes, and " + NODE_COUNT + " says " + count
                    + "; name the hosts by --host");
        }
        List<Integer> tasks = new ArrayList<>();
        for (String variable : TASKS) {
            String text = environment.get(variable);
            if (text != null && tasks.isEmpty()) {
                tasks = TaskCounts.parse(variable, text.trim());
                if (tasks.size() != names.size()) {
                    throw new UsageException(variable + " has " + tasks.size() + " numbers, and " + NODES + " "
                            + names.size() + " nodes; name the hosts by --host");
                }
            }
        }
        List<HostSlots> nodes = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            boolean isNumbered = !tasks.isEmpty();
            nodes.add(new HostSlots(names.get(i), isNumbered ? tasks.get(i) : 1, HostSlots.MOST_SLOTS, isNumbered));
        }
        return nodes;
    }

    /**
     * Throws unless the launcher runs in a Slurm job and all these hosts are nodes of it, so that {@code srun} can
     * start agents there.
     */
    public static void requireNodes(Map<String, String> environment, List<String> hosts) {
        if (!isIn(environment)) {
            throw new UsageException("--launcher slurm: this is no job of Slurm (" + ID + " and " + NODES
                    + " are not set); start mpiexec by sbatch or salloc");
        }
        Set<String> nodes =
                new HashSet<>(NodeList.parse(NODES, environment.get(NODES).trim()));
        for (String host : hosts) {
            if (!nodes.contains(host)) {
                throw new UsageException("--launcher slurm: " + host + " is no node of this Slurm job ("
                        + environment.get(NODES) + "); name its nodes, or write --launcher ssh");
            }
        }
    }
}
