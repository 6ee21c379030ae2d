package org.ulfmj.launch.discovery;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.ulfmj.launch.discovery.DiscoveryFailure.Kind;
import org.ulfmj.launch.hosts.HostFile;
import org.ulfmj.launch.hosts.HostSlots;
import org.ulfmj.launch.process.NewSession;
import org.ulfmj.launch.process.SignalSender;
import org.ulfmj.launch.process.UserLocale;

/**
 * The user's command of {@code --host-discovery}, which prints a line for each host that the job may use, {@code HOST}
 * or {@code HOST:SLOTS}, as in a file of hosts. A shell runs it, where possible in a separate session, without input,
 * for a limited time, and never twice at once. Its output goes to files, so that a child which it leaves running cannot
 * keep a reader waiting. Used by one thread.
 */
final class DiscoveryCommand {
    private static final File NOTHING = new File("/dev/null");
    private static final long LOOK_MS = 20;
    /** How long the next run waits for the end of the process of the last run, which was killed. */
    private static final long KILL_MS = 1_000;

    private static final int MOST_BYTES = 1 << 20;
    private static final int LONGEST_REASON = 200;

    private final String command;
    private final long limitNs;
    private final Map<String, String> environment;
    private final Path out;
    private final Path err;

    /** The process of the last run of the command; null before the first run. */
    private Process process;

    /**
     * @param limitNs how long a run may take
     * @param environment variables besides the launcher's own
     * @param directory for the output
     */
    DiscoveryCommand(String command, long limitNs, Map<String, String> environment, Path directory) {
        this.command = command;
        this.limitNs = limitNs;
        this.environment = environment;
        this.out = directory.resolve("discovery.out");
        this.err = directory.resolve("discovery.err");
    }

    /** The result of a run: the hosts that it has printed, or why there are none. One of the two components is null. */
    record Result(List<HostSlots> hosts, DiscoveryFailure failure) {}

    /**
     * Runs the command until it ends, or else kills it when its time limit has passed or its output is too long. Does
     * not run it while the process of the run before has not ended.
     *
     * @throws InterruptedException if this thread was interrupted; the command is then killed too
     */
    Result run() throws InterruptedException {
        if (process != null && !process.waitFor(KILL_MS, TimeUnit.MILLISECONDS)) {
            return failed(Kind.TIME_OVER, "pid " + process.pid() + " of the command is not ended by SIGKILL");
        }
        try {
            process = start();
            return awaited();
        } catch (IOException e) {
            return failed(Kind.NOT_RUN, "the command cannot be run: " + e.getMessage());
        } finally {
            if (process != null && process.isAlive()) {
                kill();
            }
        }
    }

    private Process start() throws IOException {
        List<String> words = new ArrayList<>(NewSession.prefix());
        words.addAll(List.of("/bin/sh", "-c", command));
        ProcessBuilder builder = new ProcessBuilder(words);
        UserLocale.restore(builder.environment());
        builder.environment().putAll(environment);
        return builder.redirectInput(NOTHING)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
    }

    private Result awaited() throws IOException, InterruptedException {
        long beganNs = System.nanoTime();
        while (!process.waitFor(LOOK_MS, TimeUnit.MILLISECONDS)) {
            if (isTooLong()) {
                return tooLong();
            }
            if (System.nanoTime() - beganNs >= limitNs) {
                long limitMs = TimeUnit.NANOSECONDS.toMillis(limitNs);
                return failed(
                        Kind.TIME_OVER,
                        "the command has not ended within " + limitMs + " ms (ulfm.discovery.timeout) and is killed");
            }
        }
        if (process.exitValue() != 0) {
            String reason = lastLine(err);
            return failed(
                    Kind.EXIT_CODE,
                    "the command exited with code " + process.exitValue() + (reason.isEmpty() ? "" : ": " + reason));
        }
        return isTooLong() ? tooLong() : parse(Files.readString(out, StandardCharsets.ISO_8859_1));
    }

    /** Whether stdout or stderr of the command is longer than {@link #MOST_BYTES}. */
    private boolean isTooLong() throws IOException {
        return Files.size(out) > MOST_BYTES || Files.size(err) > MOST_BYTES;
    }

    private static Result tooLong() {
        return failed(Kind.TOO_LONG, "the command prints more than " + MOST_BYTES + " bytes");
    }

    /** Parses what the command has printed as a list of hosts. */
    static Result parse(String text) {
        try {
            List<HostSlots> hosts = HostFile.parse("output of the command", List.of(text.split("\\R")));
            return hosts.size() > HostSlots.MOST_HOSTS
                    ? failed(Kind.NO_HOSTS, hosts.size() + " hosts; allowed: 1 to " + HostSlots.MOST_HOSTS)
                    : new Result(hosts, null);
        } catch (IllegalArgumentException e) {
            return failed(Kind.NO_HOSTS, shortened(e.getMessage()));
        }
    }

    private static Result failed(Kind kind, String why) {
        return new Result(null, new DiscoveryFailure(kind, why));
    }

    private static String lastLine(Path file) throws IOException {
        if (Files.size(file) > MOST_BYTES) {
            return "";
        }
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8).trim();
        return shortened(text.substring(text.lastIndexOf('\n') + 1).trim());
    }

    private static String shortened(String text) {
        return text.length() > LONGEST_REASON ? text.substring(0, LONGEST_REASON) + "..." : text;
    }

    /** Kills the command and, where it has a separate session, all processes that are still in its process group. */
    private void kill() {
        if (!NewSession.prefix().isEmpty()) {
            SignalSender.sendTo("KILL", List.of(-process.pid()));
        }
        process.destroyForcibly();
    }
}
