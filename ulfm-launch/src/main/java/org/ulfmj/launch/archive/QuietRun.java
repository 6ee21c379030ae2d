package org.ulfmj.launch.archive;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs the commands by which an archive is made, one after the other, without output and without the options of the
 * user's job. Used by one thread, except for {@link #stop}.
 */
final class QuietRun {
    private final long deadlineNs;
    private Process running;
    private boolean isStopped;

    /** @param mostSeconds how long all commands together may take, counted from now */
    QuietRun(long mostSeconds) {
        deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(mostSeconds);
    }

    /**
     * Runs a command and returns whether it ended with exit code 0 in time. It is killed when the time is over.
     *
     * @throws IOException if it cannot be started, or {@link #stop} was called
     */
    boolean run(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        clean(builder);
        Process process = start(builder);
        try {
            if (process.waitFor(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                // A recording that a signal has ended does not count as failed, so that the next job tries again.
                requireNotStopped();
                return process.exitValue() == 0;
            }
            process.destroyForcibly();
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException("the main thread is never interrupted", e);
        }
    }

    /**
     * Gives a command no streams, and removes the environment variables that hold options of the user's job or its
     * place in another job.
     */
    static void clean(ProcessBuilder builder) {
        builder.environment().keySet().removeIf(name -> name.startsWith("ULFM_") || name.endsWith("_OPTIONS"));
        builder.redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD);
    }

    /** Ends the running command, and lets no further command begin. Any thread. */
    synchronized void stop() {
        isStopped = true;
        if (running != null) {
            // If the command is a training job, the job's guardian ends its ranks.
            running.destroyForcibly();
        }
    }

    private synchronized Process start(ProcessBuilder builder) throws IOException {
        requireNotStopped();
        running = builder.start();
        return running;
    }

    private synchronized void requireNotStopped() throws IOException {
        if (isStopped) {
            throw new IOException("stopped");
        }
    }
}
