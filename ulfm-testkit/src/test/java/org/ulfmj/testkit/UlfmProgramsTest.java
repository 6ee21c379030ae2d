package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.awaitFailed;
import static org.ulfmj.testkit.Programs.dieIf;
import static org.ulfmj.testkit.Programs.errorClass;
import static org.ulfmj.testkit.Programs.failedRanks;
import static org.ulfmj.testkit.Programs.program;
import static org.ulfmj.testkit.Programs.raises;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicIntegerArray;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.junit.jupiter.api.Test;

/** Tests some of the behaviours that the ULFM team's own programs and tutorial check. */
class UlfmProgramsTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;

    @Test
    void shouldFailTheWorldsBarrierButNotThatOfSurvivorsMadeBefore() {
        Meeting made = new Meeting(4);
        survivorsSucceed(4, rank -> {
            Intracomm survivors = WORLD.split(rank == 3 ? MPI.UNDEFINED : 1, rank);
            made.attend();
            assertThat(survivors.isNull()).isEqualTo(rank == 3);
            dieIf(rank == 3);
            raises(MPI.ERR_PROC_FAILED, WORLD::barrier);
            survivors.barrier();
        });
    }

    @Test
    void shouldReportAFailureToAWildcardReceiveThatWaits() {
        survivorsSucceed(4, rank -> {
            if (rank == 0) {
                raises(MPI.ERR_PROC_FAILED, () -> WORLD.recv(new int[1], 1, MPI.INT, MPI.ANY_SOURCE, 1));
                for (int i = 1; i < 3; i++) {
                    WORLD.send(new int[1], 1, MPI.INT, i, 2);
                }
            } else if (rank == 3) {
                Faults.die();
            } else {
                WORLD.recv(new int[1], 1, MPI.INT, 0, 2);
            }
        });
    }

    @Test
    void shouldRaiseNothingOnCommunicatorsWithoutTheDeadRank() {
        Meeting made = new Meeting(6);
        survivorsSucceed(6, rank -> {
            Intracomm half = WORLD.split(rank % 2, rank);
            made.attend();
            dieIf(rank == 5);
            if (rank % 2 == 0) {
                for (int i = 0; i < 50; i++) {
                    half.barrier();
                    int[] sum = new int[1];
                    half.allReduce(new int[] {rank}, sum, 1, MPI.INT, MPI.SUM);
                    assertThat(sum[0]).isEqualTo(6);
                    int[] token = {rank};
                    int right = (half.getRank() + 1) % 3;
                    int left = (half.getRank() + 2) % 3;
                    half.sendRecvReplace(token, 1, MPI.INT, right, 0, left, 0);
                    assertThat(token[0]).isEqualTo(2 * left);
                }
                assertThat(half.getFailed().getSize()).isZero();
                assertThat(half.agree(1)).isEqualTo(1);
            } else {
                raises(MPI.ERR_PROC_FAILED, () -> {
                    while (true) {
                        half.barrier();
                    }
                });
            }
            MPI.COMM_SELF.barrier();
        });
    }

    @Test
    void shouldCountFailuresAsTheyAreAcknowledged() {
        survivorsSucceed(4, rank -> {
            for (int victim = 3; victim > 0; victim--) {
                if (rank == victim) {
                    WORLD.recv(new int[1], 1, MPI.INT, 0, 0);
                    Faults.die();
                }
                if (rank == 0) {
                    assertThat(WORLD.ackFailed(0)).isEqualTo(3 - victim);
                    WORLD.send(new int[1], 1, MPI.INT, victim, 0);
                    awaitFailed(WORLD, victim);
                    assertThat(WORLD.ackFailed(0)).isEqualTo(3 - victim);
                    assertThat(WORLD.ackFailed(WORLD.getSize())).isEqualTo(4 - victim);
                }
            }
            assertThat(failedRanks(WORLD)).containsExactly(3, 2, 1);
            raises(MPI.ERR_ARG, () -> WORLD.ackFailed(-1));
            raises(MPI.ERR_ARG, () -> WORLD.ackFailed(5));
        });
    }

    @Test
    void shouldInterruptWhatWaitsWhenARankRevokes() {
        Meeting made = new Meeting(4);
        survivorsSucceed(4, rank -> {
            Intracomm comm = WORLD.dup();
            made.attend();
            switch (rank) {
                case 0 -> raises(MPI.ERR_REVOKED, () -> comm.recv(new int[1], 1, MPI.INT, 3, 1));
                case 1 -> raises(MPI.ERR_REVOKED, () -> comm.recv(new int[1], 1, MPI.INT, MPI.ANY_SOURCE, 1));
                case 2 -> raises(MPI.ERR_REVOKED, comm::barrier);
                default -> comm.revoke();
            }
            WORLD.barrier();
        });
    }

    @Test
    void shouldRevokeAndShrinkAHundredTimes() {
        survivorsSucceed(4, rank -> {
            Intracomm comm = WORLD.dup();
            for (int round = 0; round < 100; round++) {
                if (rank == round % 4) {
                    comm.revoke();
                }
                Intracomm old = comm;
                raises(MPI.ERR_REVOKED, () -> {
                    while (true) {
                        old.barrier();
                    }
                });
                comm = old.shrink();
                old.free();
                assertThat(comm.getSize()).isEqualTo(4);
            }
        });
    }

    @Test
    void shouldShrinkDownToOneWhileTheHighestRankDiesEachRound() {
        Meeting made = new Meeting(8);
        LocalResult result = LocalWorld.of(8).timeout(Duration.ofSeconds(120)).run(program(rank -> {
            Intracomm comm = WORLD.dup();
            made.attend();
            while (comm.getSize() > 1) {
                Intracomm old = comm;
                dieIf(old.getRank() == old.getSize() - 1);
                errorClass(old::barrier);
                old.revoke();
                comm = old.shrink();
                old.free();
                errorClass(comm::barrier);
            }
        }));
        assertThat(result.requireSurvivorsSucceeded().ranks(RankEnd.KILLED)).containsExactly(1, 2, 3, 4, 5, 6, 7);
        assertThat(result.end(0)).isEqualTo(RankEnd.FINALIZED);
    }

    @Test
    void shouldBreakAChainOfDependenciesByRevoking() {
        Meeting made = new Meeting(6);
        survivorsSucceed(6, rank -> {
            Intracomm comm = WORLD.dup();
            made.attend();
            dieIf(rank == 2);
            int[] token = {rank};
            // Only ranks 1 and 3 exchange messages with the dead rank 2; the others wait for each other until a rank
            // revokes.
            int error = errorClass(() -> {
                for (int i = 0; ; i++) {
                    comm.sendRecvReplace(token, 1, MPI.INT, (rank + 1) % 6, i, (rank + 5) % 6, i);
                }
            });
            assertThat(error).isIn(MPI.ERR_PROC_FAILED, MPI.ERR_REVOKED);
            comm.revoke();
            Intracomm shrunk = MpichProgramsTest.shrinkUntil(comm, 5);
            int[] sum = new int[1];
            shrunk.allReduce(new int[] {rank}, sum, 1, MPI.INT, MPI.SUM);
            assertThat(sum[0]).isEqualTo(13);
        });
    }

    @Test
    void shouldMakeCreationUniformByAgreeing() {
        AtomicIntegerArray kept = new AtomicIntegerArray(5);
        survivorsSucceed(LocalWorld.of(5).killing(4, "dup", 3), rank -> {
            for (int i = 0; i < 6; i++) {
                Intracomm[] made = new Intracomm[1];
                int ok = errorClass(() -> made[0] = WORLD.dup()) == MPI.SUCCESS ? 1 : 0;
                int[] all = {ok};
                errorClass(() -> WORLD.agree(all));
                if (all[0] == 1) {
                    kept.incrementAndGet(rank);
                }
                WORLD.ackFailed();
            }
        });
        assertThat(kept.get(0)).isGreaterThanOrEqualTo(2);
        for (int rank = 1; rank < 4; rank++) {
            assertThat(kept.get(rank)).isEqualTo(kept.get(0));
        }
    }

    @Test
    void shouldCommitTransactionsAllOrNothing() {
        AtomicIntegerArray committed = new AtomicIntegerArray(4);
        survivorsSucceed(LocalWorld.of(4).killing(2, "allReduce", 5), rank -> {
            Intracomm comm = WORLD.dup();
            for (int done = 0; done < 10; ) {
                Intracomm current = comm;
                int[] sum = new int[1];
                int error = errorClass(() -> current.allReduce(new int[] {1}, sum, 1, MPI.INT, MPI.SUM));
                int[] ok = {error == MPI.SUCCESS ? 1 : 0};
                int agreed = errorClass(() -> current.agree(ok));
                if (agreed == MPI.SUCCESS && ok[0] == 1) {
                    assertThat(sum[0]).isEqualTo(current.getSize());
                    committed.incrementAndGet(rank);
                    done++;
                } else {
                    comm = current.shrink();
                }
            }
        });
        assertThat(committed.get(0)).isEqualTo(10);
        assertThat(committed.get(1)).isEqualTo(10);
        assertThat(committed.get(3)).isEqualTo(10);
    }

    @Test
    void shouldNotSuspectRanksThatComputeWithoutCallingMpi() {
        survivorsSucceed(LocalWorld.of(3).detectorTimeout(Duration.ofMillis(1600)), rank -> {
            WORLD.barrier();
            long until = System.nanoTime() + Duration.ofSeconds(3).toNanos();
            long work = 0;
            while (rank == 1 && System.nanoTime() < until) {
                work += rank;
            }
            assertThat(work).isGreaterThanOrEqualTo(0);
            WORLD.barrier();
            assertThat(WORLD.getFailed().getSize()).isZero();
        });
    }

    @Test
    void shouldNameEverythingThatMattersInAnErrorsText() {
        survivorsSucceed(3, rank -> {
            dieIf(rank == 1);
            if (rank == 0) {
                MPIException exception = raises(MPI.ERR_PROC_FAILED, () -> WORLD.recv(new int[1], 1, MPI.INT, 1, 4));
                assertThat(exception.getMessage())
                        .contains("receive from rank 1")
                        .contains("COMM_WORLD")
                        .contains("its thread ended")
                        .containsAnyOf("shrink", "ackFailed");
            }
        });
    }
}
