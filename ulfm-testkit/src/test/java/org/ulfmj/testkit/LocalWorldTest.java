package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ulfmj.testkit.Programs.awaitFailed;
import static org.ulfmj.testkit.Programs.dieIf;
import static org.ulfmj.testkit.Programs.failedRanks;
import static org.ulfmj.testkit.Programs.program;
import static org.ulfmj.testkit.Programs.raises;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import mpi.MPI;
import org.junit.jupiter.api.Test;

class LocalWorldTest {
    @Test
    void shouldRunAProgramAtEveryRank() {
        LocalResult result = LocalWorld.run(5, program(rank -> {
            int[] sum = new int[1];
            MPI.COMM_WORLD.allReduce(new int[] {rank + 1}, sum, 1, MPI.INT, MPI.SUM);
            assertThat(sum[0]).isEqualTo(15);
            assertThat(MPI.COMM_WORLD.getSize()).isEqualTo(5);
        }));
        assertThat(result.requireSurvivorsSucceeded().ranks(RankEnd.FINALIZED)).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void shouldKillARankAsItEntersTheCallThatWasNamed() {
        AtomicInteger barriers = new AtomicInteger();
        LocalResult result = LocalWorld.of(3).killing(1, "BARRIER", 3).run(program(rank -> {
            for (int i = 0; i < 5 && rank == 1; i++) {
                MPI.COMM_SELF.barrier();
                barriers.incrementAndGet();
            }
            awaitFailed(MPI.COMM_WORLD, 1);
        }));
        assertThat(result.requireSurvivorsSucceeded().ranks(RankEnd.KILLED)).containsExactly(1);
        assertThat(result.ranks(RankEnd.FINALIZED)).containsExactly(0, 2);
        assertThat(barriers).hasValue(2);
    }

    @Test
    void shouldKillARankInAnIteration() {
        LocalResult result = LocalWorld.of(2).killing(0, "iter", 7).run(program(rank -> {
            for (int i = 1; i <= 10; i++) {
                MPI.pControl(i, null);
                assertThat(rank == 1 || i < 7).isTrue();
            }
        }));
        assertThat(result.ranks(RankEnd.KILLED)).containsExactly(0);
    }

    @Test
    void shouldThrowTheDeathAgainAtEachLaterCall() {
        AtomicInteger deaths = new AtomicInteger();
        LocalResult result = LocalWorld.run(2, program(rank -> {
            if (rank == 0) {
                for (int i = 0; i < 3; i++) {
                    try {
                        dieIf(i == 0);
                        MPI.COMM_WORLD.barrier();
                    } catch (RankKilledError death) {
                        deaths.incrementAndGet();
                    }
                }
            }
        }));
        assertThat(deaths).hasValue(3);
        assertThat(result.requireSurvivorsSucceeded().ranks(RankEnd.KILLED)).containsExactly(0);
    }

    @Test
    void shouldTearAKilledRankOutOfACallThatWaits() {
        LocalResult result = LocalWorld.run(2, program(rank -> {
            if (rank == 0) {
                MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, 1, 1);
            } else {
                Faults.kill(0);
                awaitFailed(MPI.COMM_WORLD, 0);
            }
        }));
        assertThat(result.requireSurvivorsSucceeded().ranks(RankEnd.KILLED)).containsExactly(0);
    }

    @Test
    void shouldTakeAMainThatThrowsForAFailure() {
        LocalResult result = LocalWorld.run(3, program(rank -> {
            if (rank == 2) {
                throw new java.io.IOException("disk on fire");
            }
            awaitFailed(MPI.COMM_WORLD, 2);
        }));
        assertThat(result.outcome(2).end()).isEqualTo(RankEnd.THREW);
        assertThat(result.outcome(2).thrown()).hasMessage("disk on fire");
        assertThat(result.ranks(RankEnd.FINALIZED)).containsExactly(0, 1);
        assertThatThrownBy(result::requireSurvivorsSucceeded).hasMessageContaining("disk on fire");
    }

    @Test
    void shouldTakeAMainThatReturnsWithoutFinalizeForAFailure() {
        LocalResult result = LocalWorld.run(2, () -> {
            MPI.Init(new String[0]);
            if (MPI.COMM_WORLD.getRank() == 0) {
                awaitFailed(MPI.COMM_WORLD, 1);
                MPI.Finalize();
            }
        });
        assertThat(result.end(0)).isEqualTo(RankEnd.FINALIZED);
        assertThat(result.end(1)).isEqualTo(RankEnd.RETURNED);
    }

    @Test
    void shouldFenceARankThatIsSuspectedWrongly() {
        LocalResult result = LocalWorld.run(4, program(rank -> {
            if (rank == 1) {
                Faults.suspect(2);
            }
            if (rank == 2) {
                MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, 0, 1);
            } else {
                awaitFailed(MPI.COMM_WORLD, 2);
                assertThat(failedRanks(MPI.COMM_WORLD)).containsExactly(2);
            }
        }));
        assertThat(result.requireSurvivorsSucceeded().ranks(RankEnd.FENCED)).containsExactly(2);
        assertThat(result.ranks(RankEnd.FINALIZED)).containsExactly(0, 1, 3);
    }

    @Test
    void shouldSayWhereEveryRankIsWhenAProgramHangs() {
        CompletableFuture<Thread> receiver = new CompletableFuture<>();
        RankMain program = program(rank -> {
            if (rank == 0) {
                receiver.complete(Thread.currentThread());
                MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, 1, 99);
            }
        });
        LocalWorld world = LocalWorld.of(2).timeout(Duration.ofMillis(300));
        // The timeout of a run begins when all ranks are started. Rank 1 is started only once rank 0 is in its receive,
        // so the report shows rank 0 there.
        assertThatThrownBy(() -> world.start(rank -> {
                    if (rank == 1) {
                        ThreadsInMpi.await(
                                receiver.orTimeout(30, TimeUnit.SECONDS).join());
                    }
                    return program;
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("the program has not ended after 300 ms")
                .hasMessageContaining("rank 0: running")
                .hasMessageContaining("Comm.recv")
                .hasMessageContaining("waits: ");
    }

    @Test
    void shouldEndTheJobWhenARankAborts() {
        LocalResult result = LocalWorld.run(3, program(rank -> {
            if (rank == 1) {
                MPI.COMM_WORLD.abort(42);
            }
            MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, MPI.ANY_SOURCE, 1);
        }));
        assertThat(result.abortCode()).isEqualTo(42);
        assertThat(result.ranks(RankEnd.ABORTED)).containsExactly(0, 1, 2);
    }

    @Test
    void shouldEndTheJobWhereErrorsAreFatal() {
        LocalResult result = LocalWorld.of(2)
                .initialErrorHandler("mpi_errors_are_fatal")
                .run(program(rank -> MPI.COMM_WORLD.send(new int[1], 1, MPI.INT, 7, 1)));
        assertThat(result.isAborted()).isTrue();
    }

    @Test
    void shouldKeepTwoWorldsApart() throws InterruptedException {
        LocalResult[] results = new LocalResult[2];
        Thread other = new Thread(() -> results[1] = LocalWorld.run(3, program(rank -> {
            for (int i = 0; i < 100; i++) {
                MPI.COMM_WORLD.barrier();
            }
        })));
        other.start();
        results[0] = LocalWorld.run(2, program(rank -> {
            for (int i = 0; i < 100; i++) {
                MPI.COMM_WORLD.barrier();
            }
        }));
        other.join();
        assertThat(results[0].requireSurvivorsSucceeded().size()).isEqualTo(2);
        assertThat(results[1].requireSurvivorsSucceeded().size()).isEqualTo(3);
    }

    @Test
    void shouldWorkForTheRankThatBoundAThreadOfAPool() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        try {
            survivorsSucceed(4, rank -> pool.submit(MPI.bindThread(() -> {
                        assertThat(MPI.COMM_WORLD.getRank()).isEqualTo(rank);
                    }))
                    .get());
        } finally {
            pool.shutdown();
        }
    }

    @Test
    void shouldSayThatAThreadBelongsToNoRank() {
        assertThatThrownBy(() -> MPI.COMM_WORLD.getRank()).hasMessageContaining("works for no rank");
        assertThatThrownBy(Faults::die).hasMessageContaining("works for no rank of a running world");
    }

    @Test
    void shouldRefuseRanksThatDoNotExist() {
        assertThatThrownBy(() -> LocalWorld.of(0)).hasMessage("ranks (0) must be at least 1");
        assertThatThrownBy(() -> LocalWorld.of(2).killing(2, "send", 1)).hasMessage("rank 2 must be from 0 to 1");
        survivorsSucceed(2, rank -> {
            if (rank == 0) {
                assertThatThrownBy(() -> Faults.kill(2)).hasMessage("rank 2 must be from 0 to 1");
                raises(MPI.ERR_RANK, () -> MPI.COMM_WORLD.send(new int[1], 1, MPI.INT, 2, 1));
            }
        });
    }
}
