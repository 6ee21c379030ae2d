package org.ulfmj.launch;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A running {@code mpiexec} of the packaged jar, for tests. */
final class Launched implements AutoCloseable {
    static final List<String> MPIEXEC = List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            Path.of("target", "ulfm.jar").toAbsolutePath().toString(),
            Main.class.getName());
    private static final long MOST_SECONDS = 120;
    /** How many seconds a job that did not do what the test expected has to end, before its state is reported. */
    private static final long END_SECONDS = 10;

    private static final long PAUSE_NS = 5_000_000;
    /**
     * The command that resets signals which the test itself ignores, as it was perhaps started in a shell's background
     * or under nohup. Otherwise mpiexec, as a child, would ignore them too.
     */
    private static final List<String> WITH_DEFAULT_SIGNALS = List.of("env", "--default-signal=HUP,INT,QUIT");

    /**
     * The shell script that starts a command as a separate job, as a shell does at a prompt, and writes the command's
     * pid to a file; the script itself prints nothing.
     */
    private static final String SHELL =
            "exec 3>&2 2>/dev/null; set -m; pid=$1; shift; \"$@\" 2>&3 3>&- & echo $! > $pid; exec 3>&-; wait -f $!";

    private final Process process;
    /** The file into which the shell writes the pid of mpiexec; null if mpiexec is the started process itself. */
    private final Path pidFile;

    private final StringBuffer outSoFar = new StringBuffer();
    private final StringBuffer errSoFar = new StringBuffer();
    private final CompletableFuture<String> out;
    private final CompletableFuture<String> err;

    private Launched(Process process, Path pidFile) {
        this.process = process;
        this.pidFile = pidFile;
        this.out = reading(process.getInputStream(), outSoFar);
        this.err = reading(process.getErrorStream(), errSoFar);
    }

    /** Splits a line into words at blanks, and appends the other words, which may contain blanks. */
    static String[] words(String line, String... others) {
        return Stream.concat(Arrays.stream(line.split(" +")), Arrays.stream(others))
                .toArray(String[]::new);
    }

    /**
     * The arguments of mpiexec that start a program of the tests; {@code line} has the options of mpiexec and ends with
     * {@code java} and its options.
     */
    static String[] program(String line, Class<?> program, String... arguments) {
        return words(line + " -cp target/test-classes " + program.getName(), arguments);
    }

    static Launched start(String... arguments) {
        return start(Map.of(), arguments);
    }

    /** Runs a job to its end. */
    static Ended run(String... arguments) throws InterruptedException {
        return start(arguments).ended();
    }

    /**
     * Starts mpiexec.
     *
     * @param environment variables in addition to those of the test's own process
     */
    static Launched start(Map<String, String> environment, String... arguments) {
        return start(List.of(), null, environment, arguments);
    }

    /** Starts mpiexec as a job of a shell, so that the shell can continue it after a stop. */
    static Launched startInAShell(String... arguments) {
        try {
            Path pidFile = Files.createTempFile("mpiexec", ".pid");
            List<String> shell = List.of("/bin/bash", "-c", SHELL, "shell", pidFile.toString());
            return start(shell, pidFile, Map.of(), arguments);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts mpiexec by another command, which replaces itself by mpiexec and keeps its pid. */
    static Launched startBehind(List<String> prefix, String... arguments) {
        return start(prefix, null, Map.of(), arguments);
    }

    private static Launched start(
            List<String> prefix, Path pidFile, Map<String, String> environment, String... arguments) {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(WITH_DEFAULT_SIGNALS);
        command.addAll(MPIEXEC);
        command.addAll(List.of(arguments));
        try {
            ProcessBuilder builder = new ProcessBuilder(command);
            builder.environment().putAll(environment);
            return new Launched(builder.start(), pidFile);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Runs a job that ends by its time limit. If the job has not printed the texts by then, it is run again with longer
     * limits, three times at most: a busy machine needs longer than an idle one. Returns the last job.
     *
     * @param start starts the job with a time limit in seconds
     * @param texts that must be on stdout before the limit
     */
    static Launched untilOver(IntFunction<Launched> start, String... texts) throws InterruptedException {
        Launched job = start.apply(2);
        for (int seconds = 5; seconds <= 80; seconds *= 4) {
            boolean isInTime = job.hasWrittenInTime(texts);
            job.exitCode();
            if (isInTime) {
                return job;
            }
            job = start.apply(seconds);
        }
        job.exitCode();
        return job;
    }

    /**
     * Waits until the job has printed the texts, its time limit has passed, or it has ended. Returns whether the texts
     * came in time.
     */
    private boolean hasWrittenInTime(String... texts) {
        while (!Arrays.stream(texts).allMatch(outSoFar()::contains)) {
            if (isTimeOver() || isOver()) {
                return false;
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
        return !isTimeOver();
    }

    private boolean isTimeOver() {
        return errSoFar.indexOf("mpiexec: --timeout is over") >= 0;
    }

    /** Writes this text to the job's stdin, and closes it. */
    Launched read(String text) {
        try (OutputStream in = process.getOutputStream()) {
            in.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    long pid() {
        try {
            return pidFile == null
                    ? process.pid()
                    : Long.parseLong(awaitLines(pidFile, 1).get(0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for its end. */
    int exitCode() throws InterruptedException {
        if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
            close();
            throw new AssertionError("mpiexec did not end; stdout: " + outSoFar + "; stderr: " + errSoFar);
        }
        return process.exitValue();
    }

    /** What a job has left. */
    record Ended(int exitCode, String out, String err) {}

    /** Waits for the end of the job. */
    Ended ended() throws InterruptedException {
        try {
            return new Ended(exitCode(), out(), err());
        } finally {
            close();
        }
    }

    String out() {
        return all(out);
    }

    String err() {
        return all(err);
    }

    /**
     * Returns all that was written to a stream, up to its end; fails if some process still has the stream open long
     * after the launcher's end.
     */
    private String all(CompletableFuture<String> stream) {
        try {
            return stream.get(MOST_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("no end of output; stdout: " + outSoFar + "; stderr: " + errSoFar, e);
        }
    }

    String outSoFar() {
        return outSoFar.toString();
    }

    String errSoFar() {
        return errSoFar.toString();
    }

    /** Waits until this text was written to stdout. */
    void awaitOutput(String text) {
        await(text, outSoFar);
    }

    /** Waits until this text was written to stderr. */
    void awaitError(String text) {
        await(text, errSoFar);
    }

    private void await(String text, StringBuffer soFar) {
        await(() -> soFar.indexOf(text) >= 0, "'" + text + "'");
    }

    /** Waits until a part of stdout matches the pattern, and returns the first match. */
    MatchResult awaitMatch(Pattern form) {
        Matcher matcher = form.matcher("");
        await(() -> matcher.reset(outSoFar()).find(), form.toString());
        return matcher.toMatchResult();
    }

    private void await(BooleanSupplier isWritten, String what) {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
        // Asked before the output is looked at: the job may write its last words between the two steps.
        boolean isOver = isOver();
        while (!isWritten.getAsBoolean()) {
            if (isOver || System.nanoTime() - deadlineNs > 0) {
                throw new AssertionError("never wrote " + what + "; stdout: " + outSoFar + "; stderr: " + errSoFar);
            }
            LockSupport.parkNanos(PAUSE_NS);
            isOver = isOver();
        }
    }

    /** Whether mpiexec has ended and all its output was read. */
    private boolean isOver() {
        return !process.isAlive() && out.isDone() && err.isDone();
    }

    /**
     * Says what has become of a job that did not do what the test expected: continues it if it is stopped, and gives it
     * some time to end.
     */
    String fate() throws IOException, InterruptedException {
        if (process.isAlive()) {
            signal("CONT");
        }
        boolean hasEnded = process.waitFor(END_SECONDS, TimeUnit.SECONDS);
        return "mpiexec " + (hasEnded ? "ended with " + process.exitValue() : "goes on") + "; stdout: " + outSoFar
                + "; stderr: " + errSoFar;
    }

    void signal(String name) throws IOException, InterruptedException {
        send(name, pid());
    }

    static void send(String signal, long pid) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-s", signal, Long.toString(pid)).start();
        if (!kill.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("'kill -s " + signal + " " + pid + "' does not end");
        }
    }

    /** Waits until a file has at least this many lines, and returns all of them. */
    static List<String> awaitLines(Path file, int count) throws IOException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
        List<String> lines = List.of();
        while (System.nanoTime() - deadlineNs < 0) {
            lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
            if (lines.size() >= count) {
                return lines;
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
        throw new AssertionError(file + " never had " + count + " lines, but has " + lines);
    }

    @Override
    public void close() {
        if (pidFile != null && process.isAlive()) {
            ProcessHandle.of(pid()).ifPresent(ProcessHandle::destroyForcibly);
        }
        process.destroyForcibly();
    }

    /**
     * Reads a stream in a separate thread: a shared pool may have only one thread, and that would read the first stream
     * until its end.
     */
    private static CompletableFuture<String> reading(InputStream stream, StringBuffer soFar) {
        CompletableFuture<String> all = new CompletableFuture<>();
        Thread thread = new Thread(() -> all.complete(read(stream, soFar)));
        thread.setDaemon(true);
        thread.start();
        return all;
    }

    private static String read(InputStream stream, StringBuffer soFar) {
        try (Reader reader = new InputStreamReader(stream, StandardCharsets.UTF_8)) {
            char[] piece = new char[8_192];
            int length;
            while ((length = reader.read(piece)) >= 0) {
                soFar.append(piece, 0, length);
            }
            return soFar.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
