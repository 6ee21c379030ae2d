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
 * Makes sure that no process of a job on this host outlives its launcher, however the launcher ends. A small shell
 * script in another session reads from a pipe that only the launcher holds. The word {@code done} ends the script. Any
 * other input, above all the end of the pipe when the launcher was killed, makes it kill every process that carries the
 * key of the job's host in its environment, until none is left, and remove the job's directories. Where processes are
 * to go on without their launcher, the script waits for their end and does not kill them.
 *
 * <p>The script is started before the directory is made and before the first process, so that the job is never without
 * it. Killing by the environment also reaches processes that are stopped or have moved to another session; a program
 * that overwrites its own environment escapes.
 */
public final class Guardian {
    /**
     * The script of the guardian. A process between fork and exec still shows the environment of its parent, so the
     * script believes that no process is left only when three looks in a row found none.
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
     * What every process has in its environment that a guardian looks after.
     *
     * @param variable its name
     */
    public record Mark(String variable, String value) {
        /** The mark of all processes of a job on a host. */
        public static Mark ofHost(long hostKey) {
            return new Mark(LaunchEnvironment.HOST, LaunchEnvironment.keyText(hostKey));
        }
    }

    /**
     * @param mark of the processes
     * @param directory to remove; need not exist yet
     * @param sharedFiles another directory to remove
     * @param orphansContinue whether processes live on when the launcher does not
     * @throws IOException if the script cannot be started; no process of the job may be started then
     */
    public static Guardian start(Mark mark, Path directory, Path sharedFiles, boolean orphansContinue)
            throws IOException {
        List<String> command = new ArrayList<>(NewSession.prefix());
        command.addAll(List.of("/bin/sh", "-c", SCRIPT, "mpiexec-guardian"));
        command.add(mark.value());
        command.addAll(List.of(directory.toString(), mark.variable()));
        command.add(orphansContinue ? "continue" : "exit");
        command.add(sharedFiles.toString());
        command.add(Long.toString(ProcessHandle.current().pid()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(Path.of("/").toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        // If this launcher is itself a process of a job, the guardian of that job must not kill the guardian started
        // here before this one has done its work.
        builder.environment().remove(LaunchEnvironment.HOST);
        builder.environment().remove(mark.variable());
        return new Guardian(builder.start());
    }

    /** Ends the guardian: the job ended in order. */
    public void dismiss() {
        tell("done");
    }

    /** Kills the processes that are left of the job, removes its directories, and returns when that is done. */
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
            // The guardian's script has ended already, because it was killed on purpose: there is nothing to tell it.
        }
    }
}
