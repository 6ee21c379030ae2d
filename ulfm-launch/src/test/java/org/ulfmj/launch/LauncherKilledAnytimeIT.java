package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the launcher by SIGKILL at random moments of its first two seconds, such as before the guardian runs or between
 * the starts of two processes, and once when the program is known to run. Checks that after it all processes end that
 * have a mark of the test in their environment, and that the job's directories are removed.
 */
@Tag("long")
class LauncherKilledAnytimeIT {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final long FIRST_NS = TimeUnit.SECONDS.toNanos(2);
    private static final String MARK = "LAUNCHER_KILLED_ANYTIME";
    private static final String[] SCRIPT = {
        // Every process has a child in a separate session, and rank 1 stops itself.
        "-n", "4", "sh", "-c", "setsid sleep 600 & [ $ULFM_RANK = 1 ] && kill -STOP $$; exec sleep 600"
    };
    private static final String[] PROGRAM = Launched.program("-n 4 java", Lingerer.class);

    @TempDir
    Path runtimeDirectory;

    @TempDir
    Path sharedMemory;

    @RepeatedTest(3)
    void shouldLeaveNothingOfAScript(RepetitionInfo repetition) throws Exception {
        int run = repetition.getCurrentRepetition();
        killAfter(new SplittableRandom(SEED + run).nextLong(FIRST_NS), "script-" + run, SCRIPT);
    }

    @RepeatedTest(3)
    void shouldLeaveNothingOfAProgram(RepetitionInfo repetition) throws Exception {
        int run = repetition.getCurrentRepetition();
        killAfter(new SplittableRandom(SEED - run).nextLong(FIRST_NS), "program-" + run, PROGRAM);
    }

    @Test
    void shouldLeaveNothingOfAProgramInMidRun() throws Exception {
        try (Launched job = start("mid-run", PROGRAM)) {
            job.awaitOutput("running");
            // Before the kill, the processes and directories exist whose removal is checked after it.
            assertThat(processesWith(mark("mid-run"))).hasSizeGreaterThan(4);
            assertThat(files(runtimeDirectory)).isNotEmpty();
            assertThat(files(sharedMemory)).isNotEmpty();
            kill(job, "mid-run");
        }
    }

    private void killAfter(long momentNs, String name, String... command) throws Exception {
        try (Launched job = start(name, command)) {
            long deadlineNs = System.nanoTime() + momentNs;
            while (System.nanoTime() < deadlineNs) {
                LockSupport.parkNanos(deadlineNs - System.nanoTime());
            }
            kill(job, name);
        }
    }

    private Launched start(String name, String... command) {
        Map<String, String> environment = Map.of(
                MARK,
                SEED + name,
                "XDG_RUNTIME_DIR",
                runtimeDirectory.toString(),
                "ULFM_SHM_DIR",
                sharedMemory.toString());
        return Launched.start(environment, command);
    }

    private void kill(Launched job, String name) throws Exception {
        long beganNs = System.nanoTime();
        job.signal("KILL");
        String mark = mark(name);
        Waiting.until(() -> processesWith(mark).isEmpty(), () -> "-Dseed=" + SEED + ": a process is left");
        Waiting.until(
                () -> files(runtimeDirectory).isEmpty() && files(sharedMemory).isEmpty(),
                () -> "-Dseed=" + SEED + ": a file is left");
        assertThat(processesWith(mark)).as("-Dseed=" + SEED).isEmpty();
        System.out.println(name + ": nothing left after " + (System.nanoTime() - beganNs) / 1_000_000 + " ms");
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    private static String mark(String name) {
        return MARK + "=" + SEED + name;
    }

    private static List<Path> processesWith(String mark) throws IOException {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return processes
                    .filter(process -> process.getFileName().toString().matches("\\d+"))
                    .filter(process -> environment(process).contains(mark))
                    .toList();
        }
    }

    private static List<String> environment(Path process) {
        try {
            String text = Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1);
            return List.of(text.split("\0"));
        } catch (IOException e) {
            return List.of();
        }
    }
}
