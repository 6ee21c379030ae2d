package examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A command that runs or has run, with the output (stdout and stderr) that it has written so far. */
public final class RunningCommand implements AutoCloseable {
    private static final long PAUSE_NS = 10_000_000;

    /** A condition that a test waited for has not come true within its limit. */
    public static final class TooLate extends AssertionError {
        private static final long serialVersionUID = 1L;

        public TooLate(String what) {
            super(what);
        }
    }

    private final List<String> command;
    private final Process process;
    private final Path output;

    private RunningCommand(List<String> command, Process process, Path output) {
        this.command = command;
        this.process = process;
        this.output = output;
    }

    /** @param environment variables besides this process's own */
    public static RunningCommand start(Map<String, String> environment, List<String> command) throws IOException {
        Path output = Files.createTempFile("command", ".out");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        try {
            return new RunningCommand(command, builder.start(), output);
        } catch (IOException e) {
            Files.delete(output);
            throw e;
        }
    }

    /** Runs a command to its end, and returns its output. Throws if its exit code is not 0, or if it runs over 60 s. */
    public static String output(Map<String, String> environment, List<String> command) throws IOException {
        try (RunningCommand running = start(environment, command)) {
            int code = running.exitCode(Duration.ofSeconds(60));
            if (code != 0) {
                throw new IOException(command + " ended with " + code + "\n" + running.text());
            }
            return running.text();
        }
    }

    public static String output(String... command) throws IOException {
        return output(Map.of(), List.of(command));
    }

    /** A command of both these parts. */
    public static List<String> joined(List<String> first, String... then) {
        List<String> all = new ArrayList<>(first);
        all.addAll(List.of(then));
        return all;
    }

    /** All that was written so far. */
    public String text() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits until the command has written this text. Throws if the command ends before, or if the limit passes. */
    public void await(String text, Duration limit) {
        await(written -> written.contains(text), "'" + text + "'", limit);
    }

    /**
     * Waits until a condition holds for the whole output so far. Throws if the command ends before, or if the limit
     * passes.
     *
     * @param what names the condition in the error
     */
    public void await(Predicate<String> condition, String what, Duration limit) {
        require(() -> condition.test(text()) || !process.isAlive(), limit, () -> what);
        if (!condition.test(text())) {
            throw new AssertionError(command + " has ended without " + what + "\n" + text());
        }
    }

    /**
     * Waits for the end of the command and returns its exit code. Throws if the command does not end within the limit.
     */
    public int exitCode(Duration limit) {
        require(() -> !process.isAlive(), limit, () -> "its end");
        return process.exitValue();
    }

    public long pid() {
        return process.pid();
    }

    private void require(BooleanSupplier condition, Duration limit, Supplier<String> what) {
        awaitTrue(condition, limit, () -> command + ": no " + what.get() + " after " + limit + "\n" + text());
    }

    /** Waits until a condition holds. Throws {@link TooLate} with the text {@code what} if the limit passes before. */
    public static void awaitTrue(BooleanSupplier condition, Duration limit, Supplier<String> what) {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new TooLate(what.get());
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    /** Ends the command if it still runs, by SIGTERM and, 10 s later, by SIGKILL; deletes the file of its output. */
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
