package examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** {@code bin/mpiexec} while it runs, with what it has written to stdout and stderr so far. */
final class RunningMpiexec implements AutoCloseable {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final long PAUSE_NS = 10_000_000;

    private final Process process;
    private final Path output;

    private RunningMpiexec(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** Starts {@code bin/mpiexec} with the JDK of this test. */
    static RunningMpiexec start(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "env",
                "--default-signal=HUP,INT,QUIT",
                ROOT.resolve("bin/mpiexec").toString()));
        command.addAll(arguments);
        Path output = Files.createTempFile("mpiexec", ".out");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(output.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return new RunningMpiexec(builder.start(), output);
    }

    /** All that was written so far. */
    String text() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits until this text is written, which must happen while the process runs. */
    void await(String text, Duration limit) {
        await(written -> written.contains(text), text, limit);
    }

    /** @param what says what is awaited, if it does not come */
    void await(Predicate<String> condition, String what, Duration limit) {
        long endNs = System.nanoTime() + limit.toNanos();
        while (!condition.test(text())) {
            boolean hasEnded = !process.isAlive();
            if ((hasEnded || System.nanoTime() - endNs > 0) && !condition.test(text())) {
                throw new AssertionError((hasEnded ? "mpiexec has ended" : "mpiexec has run for " + limit)
                        + " without '" + what + "'\n" + text());
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    /** The exit code of the process, which must end in this time. */
    int exitCode(Duration limit) {
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("mpiexec has not ended after " + limit + "\n" + text());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    /** Ends the process if it still runs, by SIGTERM and then by SIGKILL. */
    @Override
    public void close() throws IOException {
        try {
            process.destroy();
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
        Files.deleteIfExists(output);
    }
}
