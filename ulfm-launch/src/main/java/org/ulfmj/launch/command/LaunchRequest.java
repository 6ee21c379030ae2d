package org.ulfmj.launch.command;

import java.nio.file.Path;
import java.util.List;
import org.ulfmj.runtime.inject.InjectPlan;
import org.ulfmj.runtime.options.Options;

/**
 * The job that the command line asks for.
 *
 * @param size processes to start
 * @param maxRestarts how often each rank is started again
 * @param spares processes that are started in advance
 * @param command the command that each process executes, with the environment that the user added
 * @param options of the job
 * @param plan which ranks to kill, and when
 * @param seed of the plan; null to draw one
 * @param timeoutNs the job is ended after that long; 0 for never
 * @param streams what becomes of the streams of processes; null where all is as by default
 * @param bindTo what the user wants of the cores of ranks
 * @param workingDirectory of the processes
 * @param reportPid where to write the launcher's pid: {@code -} stdout, {@code +} stderr, or a file; null for nowhere
 * @param printExitCodes whether to list how every process ended
 * @param warnings sentences to show before the job starts
 */
public record LaunchRequest(
        int size,
        int maxRestarts,
        int spares,
        StartCommand command,
        Options options,
        InjectPlan plan,
        Long seed,
        long timeoutNs,
        StreamOptions streams,
        BindTo bindTo,
        Path workingDirectory,
        String reportPid,
        boolean printExitCodes,
        List<String> warnings) {
    /** Whether another process can take the place of one that failed. */
    public boolean restarts() {
        return maxRestarts + spares > 0;
    }

    /** The same request for another command. */
    public LaunchRequest executing(StartCommand other) {
        return new LaunchRequest(
                size,
                maxRestarts,
                spares,
                other,
                options,
                plan,
                seed,
                timeoutNs,
                streams,
                bindTo,
                workingDirectory,
                reportPid,
                printExitCodes,
                warnings);
    }
}
