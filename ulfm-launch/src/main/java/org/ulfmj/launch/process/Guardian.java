package org.ulfmj.launch.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ulfmj.runtime.options.LaunchEnvironment;

/**
 * Sees to it that nothing of a job outlives its launcher, however that ends. A small shell script in its own session
 * reads from a pipe that only the launcher holds: the word {@code done} ends it; anything else, above all the end of
 * the pipe when the launcher was killed, makes it kill every process that carries the job's run id in its environment,
 * until none is left, and remove the job's directories. Where processes are to go on without their launcher, it waits
 * for their own end instead of killing them.
 *
 * <p>It is started before the directory is made and before the first process, so that there is no moment without it.
 * Killing by the environment reaches stopped processes and those that moved to another session; a program that
 * overwrites its own environment escapes.
 */
public final class Guardian {
    /**
     * A process between fork and exec still shows the environment of its parent, so "none left" is believed only when
     * looked up three times in a row.
     */
    private static final String SCRIPT =
            """
            trap '' HUP INT QUIT TERM USR1 USR2 PIPE
            read -r word
            [ "$word" = done ] && exit 0
            if [ "$word" != sweep ] && [ "$4" = continue ]; then kill=; else kill=1; fi
            clean=0
            while [ "$clean" -lt 3 ]; do
              found=$(grep -lzsxF "$3=$1" /proc/[0-9]*/environ)
              if [ -n "$found" ]; then
                clean=0
                if [ -z "$kill" ]; then
                  sleep 0.5
                  continue
                fi
                for file in $found; do
                  pid=${file#/proc/}
                  kill -s KILL "${pid%/environ}" 2>/dev/null
                done
                sleep 0.02
              else
                clean=$((clean + 1))
                [ "$clean" -lt 3 ] && sleep 0.1
              fi
            done
            rm -rf -- "$2" "$5"
            # What the launcher's QuitSignal would have removed.
            [ "$word" = sweep ] || rm -f "/tmp/.attach_pid$6" "/tmp/.java_pid$6"
            """;

    private static final long MOST_SECONDS = 30;

    private final Process process;

    private Guardian(Process process) {
        this.process = process;
    }

    /**
     * @param runId of the job
     * @param directory to remove; need not exist yet
     * @param sharedFiles another
     * @param orphansContinue whether processes live on when the launcher does not
     * @throws IOException if it cannot be started; then nothing may be started at all
     */
    public static Guardian start(String runId, Path directory, Path sharedFiles, boolean orphansContinue)
            throws IOException {
        List<String> command = new ArrayList<>(NewSession.prefix());
        command.addAll(List.of("/bin/sh", "-c", SCRIPT, "mpiexec-guardian"));
        command.addAll(List.of(runId, directory.toString(), LaunchEnvironment.RUN_ID));
        command.add(orphansContinue ? "continue" : "exit");
        command.add(sharedFiles.toString());
        command.add(Long.toString(ProcessHandle.current().pid()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(Path.of("/").toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        // Where this launcher is itself a process of a job, that job's guardian must leave ours its work to do.
        builder.environment().remove(LaunchEnvironment.RUN_ID);
        return new Guardian(builder.start());
    }

    /** The job ended in order: let it go. */
    public void dismiss() {
        tell("done");
    }

    /** Kills what is left of the job, removes its directory, and returns when that is done. */
    public void sweep() {
        tell("sweep");
        try {
            process.waitFor(MOST_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tell(String word) {
        try (OutputStream pipe = process.getOutputStream()) {
            pipe.write((word + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            // It is gone already; then a process killed it on purpose and there is nothing to tell.
        }
    }
}
