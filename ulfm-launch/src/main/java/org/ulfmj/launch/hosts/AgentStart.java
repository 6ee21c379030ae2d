package org.ulfmj.launch.hosts;

import java.util.ArrayList;
import java.util.List;

/**
 * How the agents of other hosts are started.
 *
 * @param kind by what
 * @param words the command that runs another command on a host, without what names the host if that comes last; empty
 *     for {@link Kind#MANUAL}
 * @param isShell whether the agent's command follows as one word for a shell of the host; else it follows as words of
 *     its own
 * @param mostAtOnce commands that are started at a time
 */
public record AgentStart(Kind kind, List<String> words, boolean isShell, int mostAtOnce) {
    /** What stands for the name of the host in the user's own command. */
    public static final String HOST = "{host}";

    /** By what agents are started. */
    public enum Kind {
        /** By a command of the user's own. */
        EXEC,
        /** By the user, who gets the commands on stderr. */
        MANUAL,
        /** One job step with a task per node. */
        SLURM,
        SSH
    }

    /** Whether one command starts the agents of several hosts, all with the same stdin. */
    public boolean isForAll() {
        return kind == Kind.SLURM;
    }

    /**
     * The words that stand before the agent's command.
     *
     * @param hosts the hosts on each of which the command starts an agent; a single one unless {@link #isForAll}
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
