package org.ulfmj.launch.command;

import java.util.List;

/**
 * How the agents of other hosts are started.
 *
 * @param kind by what
 * @param words the command that runs another command on a host, for {@link Kind#SSH} and {@link Kind#EXEC}:
 *     {@code {host}} in it stands for the name of the host; the agent's command follows as one word for a shell of that
 *     host, if {@code isShell}, else as words of its own
 * @param isShell see {@code words}
 * @param mostAtOnce agents that are started at a time
 */
public record AgentStart(Kind kind, List<String> words, boolean isShell, int mostAtOnce) {
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
}
