package org.ulfmj.runtime.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/** A Java process that a test starts, and the lines that it prints. */
final class Child implements AutoCloseable {
    private static final long BOUND_SECONDS = 60;

    private final Process process;
    private final Thread reader = new Thread(this::readAll, "output of a child");
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final List<String> seen = new ArrayList<>();

    private Child(Process process) {
        this.process = process;
    }

    /** Starts a Java process with a main class of the test's class path. */
    static Child start(Class<?> main, Map<String, String> environment, String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Child child = new Child(builder.start());
        child.reader.setDaemon(true);
        child.reader.start();
        return child;
    }

    private void readAll() {
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
            }
        } catch (IOException closed) {
            lines.add("(output lost: " + closed.getMessage() + ")");
        }
    }

    /** Calls the action with the process's exit code once the process has ended. */
    void onExit(IntConsumer action) {
        process.onExit().thenAccept(ended -> action.accept(ended.exitValue()));
    }

    long pid() {
        return process.pid();
    }

    /**
     * Waits up to 60 s until the process has printed a line with this beginning, and returns that line. Skips the lines
     * before it; fails if none comes.
     */
    String awaitLine(String beginning) throws InterruptedException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(BOUND_SECONDS);
        while (System.nanoTime() - deadlineNs < 0) {
            String line = lines.poll(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (line != null) {
                seen.add(line);
                if (line.startsWith(beginning)) {
                    return line;
                }
            }
        }
        throw new AssertionError("no line '" + beginning + "…' came; there were " + seen);
    }

    /** Returns the lines that the process has printed so far. */
    List<String> said() {
        lines.drainTo(seen);
        return seen;
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
    }

    /**
     * Waits up to 60 s for the end of the output, and then as long for the end of the process, without which it fails.
     * Returns the exit code.
     */
    int exitCode() throws InterruptedException {
        reader.join(TimeUnit.SECONDS.toMillis(BOUND_SECONDS));
        if (!process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("it does not end; it said " + seen + lines);
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
