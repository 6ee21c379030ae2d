package org.ulfmj.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.options.FaultTrigger;
import org.ulfmj.runtime.options.HostPlace;
import org.ulfmj.runtime.options.Options;

/** Tests how real processes join over the loopback address, and how they end; the test is the launcher of most. */
class RankBootstrapTest {
    /** A failure timeout so long that no missing heartbeat explains what a test sees. */
    private static final Map<String, String> PATIENT = Map.of("ulfm.fd.timeout", "120s");

    @TempDir
    private Path directory;

    private ProcessWorld world(int size, Map<String, String> settings) throws Exception {
        Map<String, String> shared = new TreeMap<>(settings);
        shared.put("ulfm.shm.dir", directory.toString());
        return new ProcessWorld(size, directory, shared, Map.of());
    }

    @Test
    void shouldJoinAgreeAndFinish() throws Exception {
        try (ProcessWorld world = world(3, PATIENT)) {
            List<Child> ranks = world.start("finish");
            for (int slot = 0; slot < 3; slot++) {
                ranks.get(slot).awaitLine("agreed 7");
                ranks.get(slot).awaitLine("finished");
                assertThat(ranks.get(slot).exitCode()).isZero();
            }
            for (int goodbyes = 0; goodbyes < 3; goodbyes++) {
                world.awaitGoodbye("{}");
            }
        }
    }

    /** Shows that a process which is told to end while it waits for the others in Init ends as fenced. */
    @Test
    void shouldEndAsAFencedProcessIfItIsToldToEndInInit() throws Exception {
        try (ProcessWorld world = world(2, PATIENT)) {
            Child first = world.start(0, "finish");
            world.await("joined 0");
            world.server.fence(ProcessId.of(0), "for a test");
            first.awaitLine("rank 0 is fenced and ends: for a test (exit code 118)");
            assertThat(first.exitCode()).isEqualTo(ProcessEnd.FENCED);
        }
    }

    /**
     * V15: shows that a process which an agent has started gets a lease: it is on another host than the launcher, even
     * if that host is the only one of the job.
     */
    @Test
    void shouldGiveALeaseToWhatAnAgentHasStarted() {
        Options options = Options.of(new TreeMap<>());
        HostPlace elsewhere = new HostPlace(0, 1, 7, "10.0.0.1", true);
        assertThat(RankBootstrap.leaseOf(options, elsewhere).leaseNs()).isEqualTo(options.leaseNs());
        assertThat(RankBootstrap.launcherBudgetNs(options, elsewhere)).isEqualTo(options.leaseNs());
        assertThat(RankBootstrap.leaseOf(options, HostPlace.only(7))).isNull();
        assertThat(RankBootstrap.launcherBudgetNs(options, HostPlace.only(7)))
                .isEqualTo(options.timing().linkBudgetNs());
    }

    @Test
    void shouldSayWhyItCannotJoinWhereSharedMemoryIsRequiredAndMissing() throws Exception {
        Map<String, String> settings = Map.of("ulfm.transport", "shm", "ulfm.shm.max", "100");
        try (ProcessWorld world = world(1, settings)) {
            Child rank = world.start(0, "finish");
            assertThat(rank.awaitLine("failed: "))
                    .contains("ulfm.transport is shm")
                    .contains("ulfm.shm.max (100 bytes)");
            assertThat(rank.exitCode()).isEqualTo(3);
        }
    }

    @Test
    void shouldUseTcpWhereThereIsNoRoomAndSayWhy() throws Exception {
        Map<String, String> settings = new TreeMap<>(PATIENT);
        settings.put("ulfm.shm.max", "3000");
        try (ProcessWorld world = world(3, settings)) {
            List<Child> ranks = world.start("finish");
            int complaints = 0;
            for (Child rank : ranks) {
                rank.awaitLine("finished");
                assertThat(rank.exitCode()).isZero();
                complaints += rank.said().toString().contains("uses TCP to rank") ? 1 : 0;
            }
            assertThat(complaints).as("once a job").isEqualTo(1);
        }
    }

    @Test
    void shouldHearOfADeathFromTheLauncher() throws Exception {
        try (ProcessWorld world = world(3, PATIENT)) {
            List<Child> ranks = world.start("survive");
            ranks.get(1).kill();
            assertThat(ranks.get(1).exitCode()).isEqualTo(137);
            world.server.ended(ProcessId.of(1), "killed by signal 9");
            for (int slot : new int[] {0, 2}) {
                ranks.get(slot).awaitLine("failed ranks [1]");
                ranks.get(slot).awaitLine("shrunk to 2, agreed 5");
                assertThat(ranks.get(slot).exitCode()).isZero();
                world.awaitGoodbye("{1}");
            }
        }
    }

    /**
     * Shows that ranks find out a death that the launcher does not tell: the lifelines to the process end, and the
     * system says that the process is gone.
     */
    @Test
    void shouldFindOutADeathByItselfWhenItIsNotTold() throws Exception {
        try (ProcessWorld world = world(3, PATIENT)) {
            List<Child> ranks = world.start("survive");
            ranks.get(0).kill();
            for (int slot : new int[] {1, 2}) {
                ranks.get(slot).awaitLine("failed ranks [0]");
                ranks.get(slot).awaitLine("shrunk to 2, agreed 5");
                assertThat(ranks.get(slot).exitCode()).isZero();
            }
        }
    }

    @Test
    void shouldEndWithTheCodeOfTheFencedWhenFenced() throws Exception {
        try (ProcessWorld world = world(2, PATIENT)) {
            List<Child> ranks = world.start("wait");
            world.server.fence(ProcessId.of(1), "the test wants it");
            ranks.get(1).awaitLine("rank 1 is fenced and ends: the test wants it (exit code 118)");
            assertThat(ranks.get(1).exitCode()).isEqualTo(ProcessEnd.FENCED);
        }
    }

    @Test
    void shouldEndWithoutFailureWhenTheLauncherClosesTheWorldThatItRunsIn() throws Exception {
        try (ProcessWorld world = world(1, PATIENT)) {
            Child founder = world.start("wait").get(0);
            world.server.closeRendezvous("the test wants it");
            founder.awaitLine("rank 0 ends because mpiexec has closed the world: the test wants it (exit code 0)");
            assertThat(founder.exitCode()).isZero();
        }
    }

    @Test
    void shouldEndWithTheCodeOfOrphansWhenTheLauncherIsLost() throws Exception {
        Map<String, String> quick = Map.of("ulfm.fd.timeout", "5s", "ulfm.link.budget", "1s");
        try (ProcessWorld world = world(2, quick)) {
            List<Child> ranks = world.start("wait");
            world.server.close();
            for (Child rank : ranks) {
                rank.awaitLine("rank ");
                assertThat(rank.exitCode()).isEqualTo(ProcessEnd.ORPHANED);
            }
        }
    }

    @Test
    void shouldSurviveWithoutALauncherWhenOrphansContinue() throws Exception {
        Map<String, String> settings = new TreeMap<>(PATIENT);
        settings.put("ulfm.orphans", "continue");
        settings.put("ulfm.link.budget", "1s");
        try (ProcessWorld world = world(3, settings)) {
            List<Child> ranks = world.start("survive");
            world.server.close();
            ranks.get(2).kill();
            for (int slot : new int[] {0, 1}) {
                ranks.get(slot).awaitLine("failed ranks [2]");
                ranks.get(slot).awaitLine("finished");
                assertThat(ranks.get(slot).exitCode()).isZero();
            }
        }
    }

    @Test
    void shouldStandStillAtAFaultPointUntilKilled() throws Exception {
        Map<Integer, List<FaultTrigger>> triggers = Map.of(1, List.of(new FaultTrigger(4, "barrier", 1)));
        try (ProcessWorld world = new ProcessWorld(2, directory, PATIENT, triggers)) {
            List<Child> ranks = world.start("stop");
            world.await("reached 1 rule 4");
            ranks.get(0).awaitLine("went on");
            ranks.get(1).kill();
            assertThat(ranks.get(1).exitCode()).isEqualTo(137);
            assertThat(ranks.get(1).said()).doesNotContain("went on");
        }
    }

    @Test
    void shouldAskTheLauncherToEndTheJobWhenTheProgramAborts() throws Exception {
        try (ProcessWorld world = world(1, PATIENT)) {
            List<Child> ranks = world.start("abort");
            world.await("abort by 0 9");
            assertThat(ranks.get(0).exitCode()).isEqualTo(9);
        }
    }

    @Test
    void shouldEndWhenTheJobIsAborted() throws Exception {
        try (ProcessWorld world = world(2, PATIENT)) {
            List<Child> ranks = world.start("wait");
            world.server.abort(256, "the test wants it");
            assertThat(ranks.get(0).exitCode()).as("never 0").isEqualTo(1);
            assertThat(ranks.get(1).exitCode()).isEqualTo(1);
        }
    }

    /**
     * Shows that a process ends when its main thread throws, although another thread of the program would keep it
     * alive.
     */
    @Test
    void shouldEndWhenTheMainThreadThrows() throws Exception {
        try (ProcessWorld world = world(1, PATIENT)) {
            List<Child> ranks = world.start("throw");
            ranks.get(0).awaitLine("rank 0 ends by an uncaught exception:");
            ranks.get(0)
                    .awaitLine("Exception in thread \"main\" java.lang.IllegalStateException: thrown by the program");
            assertThat(ranks.get(0).exitCode()).isEqualTo(1);
        }
    }

    /**
     * Shows that the stack trace of an uncaught exception is written in one piece: a launcher that forwards the output
     * of several ranks keeps together only what was written at once.
     */
    @Test
    void shouldWriteTheStackOfAnUncaughtExceptionAtOnce() throws Exception {
        try (ProcessWorld world = world(1, PATIENT)) {
            Child rank = world.start("throwInPieces").get(0);
            assertThat(rank.awaitLine("a piece of "))
                    .isEqualTo("a piece of 3 lines: [rank 0 ends by an uncaught exception:, Exception in thread"
                            + " \"main\" java.lang.IllegalStateException: thrown by the program]");
            assertThat(rank.exitCode()).isEqualTo(1);
            assertThat(rank.said())
                    .filteredOn(line -> line.startsWith("a piece of "))
                    .hasSize(1);
        }
    }

    @Test
    void shouldSayWhyWhenItCannotJoin() throws Exception {
        try (ProcessWorld world = world(2, PATIENT)) {
            Child rank = world.start(0, "finish");
            world.await("joined 0");
            world.server.ended(ProcessId.of(1), "exit code 3");
            rank.awaitLine("failed: rank 0 cannot join job test: rank 1 ended before MPI.Init (exit code 3)");
            assertThat(rank.exitCode()).isEqualTo(3);
        }
    }

    @Test
    void shouldBeAJobOfItsOwnWithoutALauncher() throws Exception {
        try (Child alone = Child.start(RankProgram.class, Map.of(), "finish")) {
            alone.awaitLine("joined 0 of 1");
            alone.awaitLine("agreed 7");
            alone.awaitLine("finished");
            assertThat(alone.exitCode()).isZero();
        }
    }

    @Test
    void shouldNameAWrongOptionWhenAlone() throws Exception {
        try (Child alone = Child.start(RankProgram.class, Map.of("ULFM_FD_TIMEOT", "5s"), "finish")) {
            assertThat(alone.awaitLine("failed: ")).contains("ULFM_FD_TIMEOT").contains("ULFM_FD_TIMEOUT");
        }
    }
}
