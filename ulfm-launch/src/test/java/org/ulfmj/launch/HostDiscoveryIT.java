package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.launch.GrowthLines.awaitPid;
import static org.ulfmj.launch.GrowthLines.awaitRanks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests jobs whose processes follow the slots that a command of {@code --host-discovery} prints. In most tests the
 * command prints a file and adds a line per run to another.
 */
class HostDiscoveryIT {
    private static final String OFTEN = " --set ulfm.discovery.interval=100ms";

    @TempDir
    Path directory;

    @ParameterizedTest(name = "with a handler for SIGTERM: {0}")
    @ValueSource(booleans = {true, false})
    void shouldGrowAndShrinkWithTheSlots(boolean leaves) throws Exception {
        print("localhost:2");
        try (Launched job = start("-n 2:4 -v", leaves ? new String[] {"leaves"} : new String[0])) {
            job.awaitOutput("2 ranks");
            print("localhost:1\n127.0.0.1:8");
            job.awaitError("the world has 4 members");
            if (leaves) {
                job.awaitOutput("process 3 can leave");
                job.awaitOutput("process 4 can leave");
            }
            job.awaitOutput("4 ranks");
            print("localhost:2");
            awaitRanks(job, 2);
            print("localhost:3");
            awaitRanks(job, 3);
            stop();
            assertThat(job.exitCode()).as(job.err()).isZero();
            assertThat(job.out()).contains("process 5 is ").endsWith("right\n");
            assertThat(job.err())
                    .contains("mpiexec: 9 slots: starting process 3, process 4\n")
                    .containsPattern("mpiexec: 2 slots left: SIGTERM to rank [23], rank [23]\n")
                    .contains("mpiexec: 3 slots: starting process 5\n")
                    .doesNotContain("process 6");
            String end = leaves ? " has left: preempted; the others go on" : " was killed by signal 15 (TERM)";
            assertThat(job.err()).contains("mpiexec: rank 3" + end, "mpiexec: rank 2" + end);
        }
    }

    /**
     * Checks that no process is started in the slot of one that failed, until the host has lost the slot and got it
     * again.
     */
    @Test
    void shouldStartNoProcessInTheSlotOfOneThatFailed() throws Exception {
        print("localhost:2");
        try (Launched job = start("-n 1:2")) {
            job.awaitOutput("2 ranks");
            Launched.send("KILL", awaitPid(job, 2));
            awaitRanks(job, 1);
            awaitRuns(3);
            assertThat(job.errSoFar()).doesNotContain("starting");
            print("localhost:1");
            awaitRuns(3);
            print("localhost:2");
            awaitRanks(job, 2);
            stop();
            assertThat(job.exitCode()).as(job.err()).isZero();
            assertThat(job.err()).containsOnlyOnce("starting").doesNotContain("SIGTERM");
        }
    }

    @Test
    void shouldTellErrorsOnceAndWaitForTheSlotsThatTheWorldNeeds() throws Exception {
        try (Launched job = start("-n 2:2 --set ulfm.net.interface=lo --launcher-exec false")) {
            job.awaitError("the command exited with code 1: cat: ");
            print("localhost:1\nelsewhere:9");
            job.awaitError("to begin; waiting");
            awaitRuns(2);
            print("elsewhere:9");
            awaitRuns(2);
            print("localhost:2");
            job.awaitOutput("2 ranks");
            Files.delete(slots());
            awaitRuns(2);
            stop();
            assertThat(job.exitCode()).as(job.err()).isZero();
            assertThat(job.out()).endsWith("right\n");
            assertThat(job.err())
                    .containsOnlyOnce("mpiexec: --host-discovery: the command exited with code 1: cat: ")
                    .containsOnlyOnce(
                            "; the slots stay as they were (told once)\nmpiexec: --host-discovery: host elsewhere cannot"
                                    + " be used: the command that started its agent ended with code 1; it is tried again"
                                    + " once the command has left it out and prints it again\nmpiexec: --host-discovery: 1"
                                    + " slot, and the world needs 2 to begin; waiting 10min at most (ulfm.rdzv.join)\n");
        }
    }

    @Test
    void shouldEndAJobThatNeverGetsEnoughSlots() throws Exception {
        print("localhost:1");
        try (Launched job = start("-n 2:3 --set ulfm.rdzv.confirm=500ms --set ulfm.rdzv.join=3s")) {
            assertThat(job.exitCode()).isEqualTo(1);
            assertThat(job.err())
                    .endsWith(
                            "mpiexec: no world can begin: --host-discovery has found 1 slot within 3s (ulfm.rdzv.join),"
                                    + " and it needs 2; ending the job\n");
        }
    }

    /** Checks that SIGTERM ends a job that still waits for its slots, and the command of the discovery too. */
    @Test
    void shouldEndByASignalWhileItWaitsForSlots() throws Exception {
        Path pid = directory.resolve("pid");
        String command = "echo $$ > " + pid + ".new; mv " + pid + ".new " + pid + "; sleep 600; true";
        try (Launched job = Launched.start(Launched.words("-n 1:2 --host-discovery", command, "sleep", "600"))) {
            Waiting.until(() -> Files.exists(pid), job::errSoFar);
            job.signal("TERM");
            assertThat(job.exitCode()).isEqualTo(143);
            long running = Long.parseLong(Files.readString(pid).trim());
            Waiting.until(() -> !Waiting.isAlive(running), () -> running + " lives on");
        }
    }

    /** Checks that the command of the discovery does not outlive a launcher that is killed. */
    @Test
    @Tag("release")
    void shouldLeaveNoCommandBehindWhenTheLauncherIsKilled() throws Exception {
        Path pid = directory.resolve("pid");
        String command = "echo $$ > " + pid + ".new; mv " + pid + ".new " + pid + "; sleep 600; true";
        try (Launched job = Launched.start(Launched.words("-n 1:2 --host-discovery", command, "sleep", "600"))) {
            Waiting.until(() -> Files.exists(pid), job::errSoFar);
            job.signal("KILL");
            long running = Long.parseLong(Files.readString(pid).trim());
            Waiting.until(() -> !Waiting.isAlive(running), () -> running + " lives on");
        }
    }

    /**
     * The processes ignore SIGTERM, as a virtual machine does that is started with SIGTERM ignored: the launcher kills
     * one that has not ended within the grace time.
     */
    @Test
    void shouldKillWhatOutlivesTheTimeToEnd() throws Exception {
        print("localhost:2");
        String java = "trap '' TERM; exec java -cp target/test-classes:target/ulfm.jar " + Growing.class.getName() + " "
                + stopFile();
        String[] words =
                Launched.words("-n 1:2 --set ulfm.grace=1s" + OFTEN + " --host-discovery", command(), "sh", "-c", java);
        try (Launched job = Launched.start(words)) {
            job.awaitOutput("2 ranks");
            print("localhost:1");
            job.awaitError("mpiexec: rank 1 has not ended within 1s of SIGTERM (ulfm.grace) and is killed\n");
            awaitRanks(job, 1);
            stop();
            assertThat(job.exitCode()).as(job.err()).isZero();
            assertThat(job.out()).endsWith("right\n");
        }
    }

    /**
     * The working directory of the processes is deleted, so that no further process can be started; the job goes on.
     */
    @Test
    void shouldGoOnWithoutAProcessThatCannotBeStarted() throws Exception {
        print("localhost:1");
        Path work = Files.createDirectory(directory.resolve("work"));
        try (Launched job = startIn(work)) {
            job.awaitOutput("1 ranks");
            Files.delete(work);
            print("localhost:2");
            job.awaitError("mpiexec: cannot start process 2: ");
            awaitRuns(3);
            stop();
            assertThat(job.exitCode()).as(job.err()).isZero();
            assertThat(job.err()).containsOnlyOnce("cannot start");
        }
    }

    @Test
    void shouldEndAJobWhoseFirstProcessCannotBeStarted() throws Exception {
        Path work = Files.createDirectory(directory.resolve("work"));
        try (Launched job = startIn(work)) {
            job.awaitError("the command exited with code 1");
            Files.delete(work);
            print("localhost:1");
            assertThat(job.exitCode()).as(job.err()).isEqualTo(126);
            assertThat(job.err()).containsPattern("mpiexec: cannot start process 1: .*; ending the job\n");
        }
    }

    private Launched startIn(Path work) {
        String classes = Path.of("target", "test-classes").toAbsolutePath().toString();
        return Launched.start(Launched.words(
                "-n 1:2 --wdir " + work + OFTEN + " --host-discovery",
                command(),
                "java",
                "-cp",
                classes,
                Growing.class.getName(),
                stopFile().toString()));
    }

    /** A process that is started later has the next local rank of its host, and an empty stdin. */
    @Test
    void shouldGiveALaterProcessItsPlaceAndNoInput() throws Exception {
        print("localhost:1");
        String program = "cat; echo $ULFM_LOCAL_RANK of $ULFM_LOCAL_SIZE has read; while [ ! -e " + stopFile()
                + " ]; do sleep 0.05; done";
        String[] words =
                Launched.words("-n 1:3 --stdin all" + OFTEN + " --host-discovery", command(), "sh", "-c", program);
        try (Launched job = Launched.start(words)) {
            job.read("input\n");
            job.awaitOutput("input\n0 of 3 has read\n");
            print("localhost:2");
            job.awaitOutput("1 of 3 has read\n");
            stop();
            assertThat(job.exitCode()).as(job.err()).isZero();
            assertThat(job.out()).containsOnlyOnce("input");
        }
    }

    /**
     * Checks that a job whose slots are discovered also grows by processes of a second launcher, though all their
     * numbers come from one series.
     */
    @Test
    @Tag("release")
    void shouldGrowBesideASecondLauncher() throws Exception {
        print("localhost:1");
        Path report = directory.resolve("job");
        try (Launched job = start("-n 1:4 --report-uri " + report)) {
            job.awaitOutput("1 ranks");
            try (Launched more = Launched.start(Launched.program(
                    "-n 1 --join " + report + " java", Growing.class, stopFile().toString()))) {
                awaitRanks(job, 2);
                print("localhost:2");
                awaitRanks(job, 3);
                print("localhost:1");
                awaitRanks(job, 2);
                stop();
                assertThat(job.exitCode()).as(job.err()).isZero();
                assertThat(more.exitCode()).as(more.err()).isZero();
                assertThat(more.out()).contains("process 2 is ");
                assertThat(job.err()).contains("2 slots: starting process 3\n", "1 slot left: SIGTERM to rank 2\n");
            }
        }
    }

    private Launched start(String options, String... more) {
        String[] before = Launched.words(options + OFTEN + " --host-discovery", command());
        String[] program = Launched.program("java", Growing.class, stopFile().toString());
        String[] all = new String[before.length + program.length + more.length];
        System.arraycopy(before, 0, all, 0, before.length);
        System.arraycopy(program, 0, all, before.length, program.length);
        System.arraycopy(more, 0, all, before.length + program.length, more.length);
        return Launched.start(all);
    }

    private String command() {
        return "echo run >> " + directory.resolve("runs") + "; cat " + slots();
    }

    /** Makes the command of the discovery print this text from now on. */
    private void print(String text) throws IOException {
        Path next = Files.writeString(directory.resolve("next"), text + "\n");
        Files.move(next, slots(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private Path slots() {
        return directory.resolve("slots");
    }

    /** Waits until the command has begun this many more runs. By then all of these runs but the last have ended. */
    private void awaitRuns(int more) throws IOException {
        int wanted = runs() + more;
        Waiting.until(() -> runs() >= wanted, () -> "fewer than " + wanted + " runs");
    }

    private int runs() throws IOException {
        return Files.readAllLines(directory.resolve("runs")).size();
    }

    private Path stopFile() {
        return directory.resolve("stop");
    }

    private void stop() throws IOException {
        Files.createFile(stopFile());
    }
}
