package org.ulfmj.launch.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ulfmj.command.Given;
import org.ulfmj.command.UsageException;
import org.ulfmj.launch.hosts.AgentStart;
import org.ulfmj.launch.hosts.AgentStart.Kind;
import org.ulfmj.launch.hosts.SlurmJob;
import org.ulfmj.launch.program.ArgumentFile;

/**
 * Determines the command by which the agents on other hosts are started: ssh, srun, a command of the user's, or none
 * where the user starts them.
 */
final class AgentOptions {
    private static final int MOST_AT_ONCE = 32;

    /**
     * The options of srun by which agents are started: one task per node, beside what else the Slurm job runs there,
     * free to use all processors of the Slurm job. Neither a lost node nor a task that ends with an error ends the
     * other tasks.
     */
    private static final List<String> SRUN_OPTIONS = List.of(
            "--ntasks-per-node=1",
            "--overlap",
            "--cpu-bind=none",
            "--mpi=none",
            "--kill-on-bad-exit=0",
            "--no-kill",
            "--wait=0",
            "--export=ALL");

    private final Given given;
    private final McaParameters mca;

    private AgentOptions(Given given, McaParameters mca) {
        this.given = given;
        this.mca = mca;
    }

    /**
     * @param others the names of the hosts that need an agent
     * @param environment of the launcher
     */
    static AgentStart of(Given given, McaParameters mca, Map<String, String> environment, List<String> others) {
        AgentOptions options = new AgentOptions(given, mca);
        String command = options.command();
        Kind kind = options.kind(command != null, SlurmJob.isIn(environment));
        if (kind == Kind.SLURM && !others.isEmpty()) {
            SlurmJob.requireNodes(environment, others);
        }
        return options.start(kind, command);
    }

    private Kind kind(boolean hasCommand, boolean isInSlurm) {
        String asked = given.text(OptionModel.LAUNCHER);
        if (asked == null) {
            return hasCommand ? Kind.EXEC : isInSlurm ? Kind.SLURM : Kind.SSH;
        }
        return switch (asked) {
            case "ssh", "rsh" -> hasCommand ? Kind.EXEC : Kind.SSH;
            case "slurm" -> Kind.SLURM;
            case "manual" -> Kind.MANUAL;
            default ->
                throw new UsageException(
                        OptionModel.LAUNCHER + ": '" + asked + "' is not allowed; allowed: ssh | slurm | manual");
        };
    }

    /**
     * The command for reaching other hosts that the user names by {@code --launcher-exec} or by a parameter of Open
     * MPI; null if there is none.
     */
    private String command() {
        String own = given.text(OptionModel.LAUNCHER_EXEC);
        return own == null ? mca.agent() : own;
    }

    private AgentStart start(Kind kind, String command) {
        boolean isOwn = given.has(OptionModel.LAUNCHER_EXEC);
        List<String> words = new ArrayList<>(ArgumentFile.words(command == null ? "" : command));
        if (command != null && words.isEmpty()) {
            throw new UsageException(OptionModel.LAUNCHER_EXEC + ": there is no command in it");
        }
        switch (kind) {
            case MANUAL:
                if (isOwn) {
                    throw new UsageException(OptionModel.LAUNCHER_EXEC + ": with " + OptionModel.LAUNCHER
                            + " manual you start the agents; leave one of the two out");
                }
                return new AgentStart(kind, List.of(), true, MOST_AT_ONCE);
            case SLURM:
                if (!isOwn) {
                    words = new ArrayList<>(List.of("srun"));
                }
                words.addAll(SRUN_OPTIONS);
                return new AgentStart(kind, List.copyOf(words), false, MOST_AT_ONCE);
            case SSH:
                words.add("ssh");
                words.addAll(arguments());
                // Our option stands after the user's options of ssh, because ssh takes the first of two contradicting
                // options: so the user's option wins.
                words.addAll(List.of("-o", "BatchMode=yes"));
                return new AgentStart(kind, List.copyOf(words), true, MOST_AT_ONCE);
            default:
                boolean isNamed = String.join(" ", words).contains(AgentStart.HOST);
                if (isNamed && given.has(OptionModel.SSH_ARGS)) {
                    throw new UsageException(OptionModel.SSH_ARGS + ": write them into the command of "
                            + OptionModel.LAUNCHER_EXEC + ", which says by {host} where the name of the host goes");
                }
                if (!isNamed) {
                    words.addAll(arguments());
                }
                return new AgentStart(kind, List.copyOf(words), !isNamed, MOST_AT_ONCE);
        }
    }

    private List<String> arguments() {
        String own = given.text(OptionModel.SSH_ARGS);
        String text = own == null ? mca.agentArguments() : own;
        return text == null ? List.of() : ArgumentFile.words(text);
    }
}
