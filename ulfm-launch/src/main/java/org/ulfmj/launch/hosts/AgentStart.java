package org.ulfmj.launch.hosts;

import java.util.ArrayList;
import java.util.List;

/**
 * How the agents of other hosts are started.
 *
 * @param kind the means: ssh, Slurm, a command of the user's, or the user
 * @param words the command that runs another command on a host; the host's name follows it, for {@code srun} as an
 *     option, and for another command unless one of the words has {@link #HOST} in it; empty for {@link Kind#MANUAL}
 * @param isShell whether the agent's command follows as a single word, which a shell of the host parses; else as
 *     several words
 * @param mostAtOnce how many agents may be starting at the same time, if each command starts one agent
 */
public record AgentStart(Kind kind, List<String> words, boolean isShell, int mostAtOnce) {
    /** The placeholder for the name of the host in a command of the user's. */
    public static final String HOST = "{host}";

    /** By what agents are started. */
    public enum Kind {
        /** By a command of the user's own. */
        EXEC,
        /** The user starts the agents by hand; the launcher prints the commands for that on stderr. */
        MANUAL,
        /** {@code srun} starts the agents of one or several hosts, as one job step with one task per node. */
        SLURM,
        SSH
    }

    /** Whether one command can start the agents of several hosts, which then all get the same stdin. */
    public boolean isForAll() {
        return kind == Kind.SLURM;
    }

    /**
     * The words that stand before the agent's command.
     *
     * @param hosts the hosts on which the command starts an agent; a single one unless {@link #isForAll}
     */
    public List<String> wordsFor(List<String> hosts) {
        List<String> all = new ArrayList<>();
        boolean isNamed = false;
        for (String word : words) {
            isNamed |= word.contains(HOST);
            all.add(word.replace(HOST, String.join(",", hosts)));
        }
        if (kind == Kind.SLURM) {
            String count = Integer.toString(hosts.size());
            all.addAll(List.of("-N", count, "-n", count, "-w", String.join(",", hosts)));
        } else if (kind != Kind.MANUAL && !isNamed) {
            all.addAll(hosts);
        }
        return all;
    }
}
