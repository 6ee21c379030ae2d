package examples.soak;

import examples.soak.RankStatus.Field;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One job of {@code mpiexec}, its output in files, and the statuses of its ranks. */
final class SoakJob {
    /**
     * The time-out of {@code mpiexec}, the last means against a hang. The driver looks for hangs earlier, and takes
     * dumps then.
     */
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private static final Duration GRACE = Duration.ofSeconds(20);

    private final Path directory;
    private final List<RankStatus> ranks = new ArrayList<>();
    private final Process process;

    /** Starts the job. The directory must exist and be empty. */
    SoakJob(Path home, Path directory, SoakOptions options, long seed) throws IOException {
        this.directory = directory;
        for (int rank = 0; rank < options.ranks(); rank++) {
            ranks.add(RankStatus.mapped(RankStatus.file(directory, rank)));
        }
        List<String> command = command(home, options, seed);
        Files.writeString(directory.resolve("command"), String.join(" ", command) + "\n");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(out().toFile())
                .redirectError(err().toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        process = builder.start();
    }

    private List<String> command(Path home, SoakOptions options, long seed) {
        boolean inFinalize = options.fault() == SoakOptions.Fault.KILL_IN_FINALIZE;
        List<String> command = new ArrayList<>(List.of(
                home.resolve("bin/mpiexec").toString(),
                "-n",
                Integer.toString(options.ranks()),
                "--tag-output",
                "--print-all-exitcodes",
                "--timeout",
                Long.toString(TIMEOUT.toSeconds())));
        if (options.fault() == SoakOptions.Fault.STOP) {
            command.addAll(List.of("--set", "ulfm.fd.timeout=" + SoakRun.STOP_TIMEOUT.toMillis() + "ms"));
        }
        if (!options.transport().isEmpty()) {
            command.addAll(List.of("--set", "ulfm.transport=" + options.transport()));
        }
        if (!options.inject().isEmpty()) {
            command.addAll(List.of("--inject", options.inject(), "--inject-seed", Long.toString(seed)));
        }
        command.addAll(List.of(
                "java",
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-cp",
                home.resolve("examples/target/examples.jar").toString(),
                SoakRank.class.getName(),
                directory.toString(),
                Long.toString(seed),
                Integer.toString(inFinalize ? 0 : options.deaths()),
                Integer.toString(options.steps())));
        return command;
    }

    RankStatus rank(int rank) {
        return ranks.get(rank);
    }

    Path out() {
        return directory.resolve("stdout");
    }

    Path err() {
        return directory.resolve("stderr");
    }

    boolean isRunning() {
        return process.isAlive();
    }

    /** Waits for the end of the job. Returns false if the job does not end in time. */
    boolean awaitEnd(long limitNs) {
        try {
            return process.waitFor(limitNs, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException("no thread interrupts the soak's main thread", e);
        }
    }

    int exitCode() {
        return process.exitValue();
    }

    /**
     * Makes each rank that has noted its pid print the stacks of its threads, by SIGQUIT, and gives the ranks up to two
     * seconds for that.
     */
    void dumpThreads() {
        for (RankStatus rank : ranks) {
            if (rank.get(Field.PID) != 0) {
                RankSignals.send("QUIT", rank.get(Field.PID));
            }
        }
        awaitEnd(Duration.ofSeconds(2).toNanos());
    }

    /** Sends SIGTERM to {@code mpiexec}, which ends the job, and SIGKILL if {@code mpiexec} still runs 20 s later. */
    void end() {
        process.destroy();
        if (!awaitEnd(GRACE.toNanos())) {
            process.destroyForcibly();
            awaitEnd(GRACE.toNanos());
        }
    }
}
