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
 * Makes sure that no process of a job on this host outlives its launcher, however the launcher ends. The guardian is a
 * small shell script in a separate session. It reads from a pipe to which only the launcher can write. The word
 * {@code done} ends the script. At any other input, above all at the end of the pipe after the launcher was killed, it
 * kills every process that has the given {@link Mark} in its environment, until none is left, and removes the job's
 * directories. In a job whose processes are to go on without their launcher, the script waits for their end instead of
 * killing them, unless it has read the word {@code sweep}. The agent of a host has a guardian too, as a launcher has.
 *
 * <p>The script is started before the directory is made and before the first process, so that the job is never without
 * a guardian. Killing by the environment also reaches processes that are stopped or have moved to another session; a
 * program that overwrites its own environment escapes.
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
     * A variable that each process which the guardian watches over has in its environment; the guardian finds it by
     * this variable.
     *
     * @param variable the name of the variable
     * @param value its value, which no other job has
     */
    public record Mark(String variable, String value) {
        /** The mark of all processes of one job on one host: the host key. */
        public static Mark ofHost(long hostKey) {
            return new Mark(LaunchEnvironment.HOST, LaunchEnvironment.keyText(hostKey));
        }
    }

    /**
     * @param mark of the processes
     * @param directory the job's directory, which the guardian removes; need not exist yet
     * @param sharedFiles another directory to remove, that of shared memory
     * @param orphansContinue whether the processes go on when the launcher has died
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
        // If this launcher is itself a process of another job, the guardian of that job must not kill the guardian
        // started here before this one has done its work.
        builder.environment().remove(LaunchEnvironment.HOST);
        builder.environment().remove(mark.variable());
        return new Guardian(builder.start());
    }

    /** Ends the guardian, without killing any process: the job has ended in order. */
    public void dismiss() {
        tell("done");
    }

    /**
     * Has the guardian kill the remaining processes of the job on this host and remove its directories, and waits until
     * the guardian has ended, for 30 s at most.
     */
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
            // The guardian's script has ended already, because it was killed from outside: it cannot be told anything.
        }
    }
}
