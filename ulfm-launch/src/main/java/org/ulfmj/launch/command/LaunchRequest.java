package org.ulfmj.launch.command;

import java.util.List;
import org.ulfmj.launch.hosts.JobHosts;
import org.ulfmj.launch.program.StartCommand;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.inject.InjectPlan;
import org.ulfmj.runtime.options.Options;

/**
 * The job that the command line asks for.
 *
 * @param size number of processes to start; where slots are discovered, the upper limit of this number
 * @param maxRestarts how often each rank is started again at most
 * @param spares number of processes that are started in advance, without a rank
 * @param commands the command of each rank, with the environment that the user added, in the order of the ranks; or a
 *     single one, that of all ranks
 * @param hosts null if all processes run on the launcher's host, without agents, or if the hosts are discovered
 * @param options of the job
 * @param plan the faults to inject, and when
 * @param seed of the plan; null to draw one
 * @param timeoutNs the job is ended after that long; 0 for never
 * @param streams what the user says of stdin, stdout and stderr of processes; null where all is as by default
 * @param bindTo to which cores the user wants ranks to be bound
 * @param cpuList the processors of the ranks, where the user names them; else null
 * @param reportPid where to write the launcher's pid: {@code -} stdout, {@code +} stderr, or a file; null for nowhere
 * @param printExitCodes whether to list how every process ended
 * @param extras the options that few command lines give; null if there are none
 * @param elastic the options of a world that grows; null for a job with a fixed number of ranks
 * @param rdzv the URL of {@code --rdzv}, of an etcd in which the coordinator is elected; null if that is not given
 * @param warnings sentences to show before the job starts
 */
public record LaunchRequest(
        int size,
        int maxRestarts,
        int spares,
        List<StartCommand> commands,
        JobHosts hosts,
        Options options,
        InjectPlan plan,
        Long seed,
        long timeoutNs,
        StreamOptions streams,
        BindTo bindTo,
        String cpuList,
        String reportPid,
        boolean printExitCodes,
        Extras extras,
        ElasticJob elastic,
        String rdzv,
        List<String> warnings) {
    /** Whether the job has restarts or spares, so that another process can take the place of a failed one. */
    public boolean restarts() {
        return maxRestarts + spares > 0;
    }

    /**
     * The command of a process.
     *
     * @param process null for a spare
     */
    public StartCommand command(ProcessId process) {
        return commands.get(commandIndex(process));
    }

    /** The index in {@link #commands} of a process's command. */
    public int commandIndex(ProcessId process) {
        return process == null || commands.size() == 1 ? 0 : process.slot();
    }

    /** Whether all processes are Java virtual machines. */
    public boolean isJava() {
        for (StartCommand command : commands) {
            if (!command.isJava()) {
                return false;
            }
        }
        return true;
    }

    /** Whether the command of at least one rank is a Java virtual machine. */
    public boolean isAnyJava() {
        for (StartCommand command : commands) {
            if (command.isJava()) {
                return true;
            }
        }
        return false;
    }

    /** The same request for other commands. */
    public LaunchRequest executing(List<StartCommand> others) {
        return with(others, elastic);
    }

    /** The same request for a job that runs already: the processes join that job, at its URL in etcd. */
    public LaunchRequest joining() {
        return with(commands, elastic.joining(rdzv));
    }

    private LaunchRequest with(List<StartCommand> others, ElasticJob asked) {
        return new LaunchRequest(
                size,
                maxRestarts,
                spares,
                others,
                hosts,
                options,
                plan,
                seed,
                timeoutNs,
                streams,
                bindTo,
                cpuList,
                reportPid,
                printExitCodes,
                extras,
                asked,
                rdzv,
                warnings);
    }
}
