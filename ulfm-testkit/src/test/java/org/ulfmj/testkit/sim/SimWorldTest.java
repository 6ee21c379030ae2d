package org.ulfmj.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.testkit.LocalWorld;
import org.ulfmj.testkit.RankEnd;

class SimWorldTest {
    private static void sum() {
        MPI.Init(new String[0]);
        int rank = MPI.COMM_WORLD.getRank();
        int size = MPI.COMM_WORLD.getSize();
        for (int i = 0; i < 5; i++) {
            int[] value = {rank + i};
            MPI.COMM_WORLD.allReduce(value, 1, MPI.INT, MPI.SUM);
            assertThat(value[0]).isEqualTo(size * (size - 1) / 2 + i * size);
        }
        MPI.Finalize();
    }

    @Test
    void shouldRunAProgramToItsEnd() {
        SimResult result = SimWorld.of(5).seed(1).run(SimWorldTest::sum);
        assertThat(result.ends().requireSurvivorsSucceeded().ranks(RankEnd.FINALIZED))
                .hasSize(5);
        assertThat(result.virtualNs()).isPositive();
    }

    @Test
    void shouldGiveTheSameRunForTheSameSeedAndOthersForOthers() {
        TreeSet<Long> hashes = new TreeSet<>();
        for (int seed = 0; seed < 20; seed++) {
            SimResult first = SimWorld.of(4).seed(seed).run(SimWorldTest::sum);
            SimResult second = SimWorld.of(4).seed(seed).run(SimWorldTest::sum);
            assertThat(second.logHash()).isEqualTo(first.logHash());
            hashes.add(first.logHash());
        }
        assertThat(hashes).hasSize(20);
    }

    static void recover() {
        MPI.Init(new String[0]);
        goOn();
    }

    /** After Init: ten sums, whichever rank dies. */
    static void goOn() {
        Comm comm = MPI.COMM_WORLD;
        int done = 0;
        while (done < 10) {
            try {
                int[] value = {1};
                comm.allReduce(value, 1, MPI.INT, MPI.SUM);
                done++;
            } catch (MPIException e) {
                comm.revoke();
                comm = comm.shrink();
                int[] least = {done};
                try {
                    comm.allReduce(least, 1, MPI.INT, MPI.MIN);
                    done = least[0];
                } catch (MPIException again) {
                    done = 0;
                }
            }
        }
        MPI.Finalize();
    }

    @Test
    void shouldKillWhereToldAndLetTheOthersRecover() {
        for (int seed = 0; seed < 200; seed++) {
            SimWorld world =
                    SimWorld.of(6).seed(seed).killing(2, "allReduce", 3).killing(4, "*", 9);
            SimResult result = world.run(SimWorldTest::recover);
            assertThat(result.ends().requireSurvivorsSucceeded().ranks(RankEnd.KILLED))
                    .containsExactly(2, 4);
            if (seed % 10 == 0) {
                assertThat(world.run(SimWorldTest::recover).logHash()).isEqualTo(result.logHash());
            }
        }
    }

    @Test
    void shouldFailAHangAtOnceAndSayWhoWaitsForWhom() {
        assertThatThrownBy(() -> SimWorld.of(2).run(() -> {
                    MPI.Init(new String[0]);
                    int[] value = new int[1];
                    MPI.COMM_WORLD.recv(value, 1, MPI.INT, 1 - MPI.COMM_WORLD.getRank(), 7);
                }))
                .isInstanceOf(SimFailure.class)
                .hasMessageContaining("nothing that could change that will happen")
                .hasMessageContaining("deadlock: rank 0 waits for 1, 1 for 0")
                .hasMessageContaining("recv (");
    }

    @Test
    void shouldTellTheTimeOfTheSimulation() {
        double seconds = secondsOfASpin();
        assertThat(seconds).isBetween(2.0, 2.1);
        assertThat(secondsOfASpin()).as("no clock of this machine").isEqualTo(seconds);
    }

    /**
     * Returns how many seconds of simulated time a program measures by {@code MPI.wtime} when it looks at that clock
     * until two seconds have passed.
     */
    private static double secondsOfASpin() {
        double[] seconds = new double[1];
        SimResult result = SimWorld.of(2).run(() -> {
            MPI.Init(new String[0]);
            double start = MPI.wtime();
            while (MPI.wtime() - start < 2) {
                // Each look takes a little.
            }
            seconds[0] = MPI.wtime() - start;
            MPI.Finalize();
        });
        assertThat(result.virtualNs()).isGreaterThan(2_000_000_000L);
        return seconds[0];
    }

    @Test
    @Tag("long")
    void shouldFindAProgramThatPollsForeverByItsTime() {
        assertThatThrownBy(() -> SimWorld.of(2).timeout(Duration.ofSeconds(20)).run(() -> {
                    MPI.Init(new String[0]);
                    while (MPI.COMM_WORLD.iProbe(1, 1) == null) {
                        // No rank sends.
                    }
                }))
                .isInstanceOf(SimFailure.class)
                .hasMessageContaining("has not ended after 20000 ms of its time");
    }

    @Test
    void shouldFindTheDeadBySilenceWhenDeathsAreNotTold() {
        SimResult result = SimWorld.of(4)
                .seed(3)
                .withoutEvidence()
                .killing(1, "allReduce", 2)
                .run(SimWorldTest::recover);
        assertThat(result.ends().ranks(RankEnd.FINALIZED)).isEqualTo(List.of(0, 2, 3));
        assertThat(result.virtualNs()).isGreaterThan(5_000_000_000L);
    }

    /** Shows that each simulated rank has its own static fields, as a process has. */
    public static final class Counter {
        private static int calls;

        private Counter() {}

        public static void main(String[] args) {
            MPI.Init(args);
            if (Counter.class.getProtectionDomain().getCodeSource() == null) {
                throw new IllegalStateException("a class of the program does not know where it comes from");
            }
            calls += Integer.parseInt(args[0]);
            int[] all = new int[MPI.COMM_WORLD.getSize()];
            MPI.COMM_WORLD.allGather(new int[] {calls}, 1, MPI.INT, all, 1, MPI.INT);
            for (int one : all) {
                if (one != Integer.parseInt(args[0])) {
                    throw new IllegalStateException("another rank has changed a static of this one: " + one);
                }
            }
            MPI.Finalize();
        }
    }

    @Test
    void shouldLoadAProgramOncePerRank() {
        SimResult result = SimWorld.run(3, 5, "", Counter.class, "7");
        assertThat(result.ends().requireSurvivorsSucceeded().ranks(RankEnd.FINALIZED))
                .hasSize(3);
        assertThat(SimWorld.run(3, 5, "", Counter.class, "7").logHash()).isEqualTo(result.logHash());
        assertThat(SimWorld.of(3)
                        .runSeeds(1, 20, 2, Counter.class, new String[] {"7"}, each -> each.ends()
                                .requireSurvivorsSucceeded())
                        .requireSuccess()
                        .count())
                .isEqualTo(20);
        assertThat(Counter.calls).isZero();
        assertThat(LocalWorld.runMain(3, Counter.class, "7").ranks(RankEnd.FINALIZED))
                .hasSize(3);
    }

    @Test
    void shouldRefuseAProgramWithoutMain() {
        assertThatThrownBy(() -> SimWorld.of(2).run(String.class))
                .hasMessage("java.lang.String has no public static void main(String[])");
    }

    @Test
    void shouldFindWhatDependsOnMoreThanItsSeed() {
        AtomicInteger runs = new AtomicInteger();
        assertThatThrownBy(() -> SimWorld.of(3)
                        .seed(1)
                        .settings(SimWorldTest::byMessages)
                        .twice()
                        .run(() -> {
                            MPI.Init(new String[0]);
                            int[] value = {runs.incrementAndGet()};
                            MPI.COMM_WORLD.bcast(value, 1, MPI.INT, 0);
                            MPI.Finalize();
                        }))
                .isInstanceOf(SimFailure.class)
                .hasMessageContaining("3 ranks, seed 1")
                .hasMessageContaining("depends on something that is not in its seed: event ")
                .hasMessageContaining("receives EAGER")
                .hasMessageContaining("its last call: bcast");
    }

    private static RankSettings byMessages(RankSettings settings) {
        return settings.withHostCollectivesAfter(RankSettings.NEVER);
    }

    @Test
    void shouldSayThatARankCallsMpiFromOneThread() {
        AtomicReference<Throwable> seen = new AtomicReference<>();
        SimWorld.of(1).run(() -> {
            MPI.Init(new String[0]);
            Thread second = new Thread(MPI.bindThread(() -> {
                try {
                    MPI.COMM_WORLD.getRank();
                } catch (IllegalStateException e) {
                    seen.set(e);
                }
            }));
            second.start();
            second.join();
            MPI.Finalize();
        });
        assertThat(seen.get()).hasMessageContaining("is not the rank's main thread");
    }

    @Test
    void shouldFailARunWhoseTurnIsBlockedOutsideOfMpi() {
        assertThatThrownBy(() -> SimWorld.of(2).run(() -> {
                    MPI.Init(new String[0]);
                    new CountDownLatch(1).await();
                }))
                .isInstanceOf(SimFailure.class)
                .hasMessageContaining("has been blocked outside of MPI for 2 s")
                .hasMessageContaining("CountDownLatch.await");
    }

    @Test
    void shouldEndARunThatTakesTooMuchRealTime() {
        AtomicBoolean over = new AtomicBoolean();
        try {
            assertThatThrownBy(() -> SimWorld.of(2)
                            .realTimeout(Duration.ofMillis(300))
                            .run(() -> {
                                MPI.Init(new String[0]);
                                while (!over.get()) {
                                    Thread.onSpinWait();
                                }
                            }))
                    .isInstanceOf(SimFailure.class)
                    .hasMessageContaining("has taken 300 ms of real time");
        } finally {
            over.set(true);
        }
    }

    @Test
    void shouldLetARankStandStillForLessThanTheDetectorsTimeout() {
        SimResult result = SimWorld.of(4)
                .seed(2)
                .faults("pause:rank=1:for=1s@op=allreduce#3")
                .run(SimWorldTest::sum);
        assertThat(result.ends().ranks(RankEnd.FINALIZED)).hasSize(4);
        assertThat(result.virtualNs()).isBetween(1_000_000_000L, 2_000_000_000L);
    }

    @Test
    void shouldEndARankThatStandsStillForLonger() {
        SimResult result = SimWorld.of(4)
                .seed(2)
                .faults("pause:rank=1:for=60s@op=allreduce#3")
                .run(SimWorldTest::recover);
        assertThat(result.ends().ranks(RankEnd.SILENCED)).containsExactly(1);
        assertThat(result.ends().ranks(RankEnd.FINALIZED)).containsExactly(0, 2, 3);
    }

    @Test
    void shouldFenceARankThatIsSuspectedWrongly() {
        SimResult result =
                SimWorld.of(4).seed(2).faults("suspect:rank=3:by=0@t=1us").run(SimWorldTest::recover);
        assertThat(result.ends().ranks(RankEnd.FENCED)).containsExactly(3);
        assertThat(result.ends().ranks(RankEnd.FINALIZED)).containsExactly(0, 1, 2);
    }

    @Test
    void shouldWaitForALinkThatIsCutShortlyAndEndOneSideOfALongCut() {
        SimResult brief =
                SimWorld.of(4).seed(2).faults("cut:rank=0:to=1:for=2s@t=0s").run(SimWorldTest::recover);
        assertThat(brief.ends().ranks(RankEnd.FINALIZED)).hasSize(4);
        assertThat(brief.virtualNs()).isGreaterThan(2_000_000_000L);
        SimResult lasting =
                SimWorld.of(4).seed(2).faults("cut:rank=0:to=2:for=100s@t=0s").run(SimWorldTest::recover);
        assertThat(lasting.ends().ranks(RankEnd.SILENCED)).containsExactly(2);
        assertThat(lasting.ends().ranks(RankEnd.FINALIZED)).hasSize(3);
    }

    private static void sendBeforeReceiving() {
        MPI.Init(new String[0]);
        int other = 1 - MPI.COMM_WORLD.getRank();
        int[] value = new int[100];
        MPI.COMM_WORLD.send(value, 100, MPI.INT, other, 1);
        MPI.COMM_WORLD.recv(value, 100, MPI.INT, other, 1);
        MPI.Finalize();
    }

    @Test
    void shouldFindAProgramThatNeedsItsMessagesStored() {
        assertThat(SimWorld.of(2)
                        .runSeeds(1, 20, 1, seed -> SimWorldTest::sendBeforeReceiving, result -> {})
                        .failures())
                .isEmpty();
        assertThat(SimWorld.of(2)
                        .anyBuffering()
                        .runSeeds(1, 20, 1, seed -> SimWorldTest::sendBeforeReceiving, result -> {})
                        .failures())
                .isNotEmpty()
                .allSatisfy(failure ->
                        assertThat(failure.thrown()).hasMessageContaining("deadlock: rank 0 waits for 1, 1 for 0"));
    }

    @Test
    void shouldKeepTheLastCallsOfEachRank() {
        SimResult result = SimWorld.of(2).seed(4).run(SimWorldTest::sum);
        assertThat(result.lastCalls(1)).last().asString().startsWith("Finalize (");
    }

    @Test
    void shouldShowWhatHappened() {
        SimResult result = SimWorld.of(2)
                .seed(4)
                .faults("kill:rank=1@op=allreduce#2")
                .keepingSchedule()
                .run(SimWorldTest::recover);
        assertThat(result.faults()).containsExactly("kill:rank=1@op=allreduce#2");
        assertThat(result.schedule())
                .anyMatch(line -> line.endsWith("rank 1 meets: kill:rank=1@op=allreduce#2"))
                .anyMatch(line -> line.endsWith("rank 0 is told: death of rank 1"));
    }
}
