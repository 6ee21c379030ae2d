package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.awaitFailed;
import static org.ulfmj.testkit.Programs.dieIf;
import static org.ulfmj.testkit.Programs.errorClass;
import static org.ulfmj.testkit.Programs.failedRanks;
import static org.ulfmj.testkit.Programs.program;
import static org.ulfmj.testkit.Programs.raises;
import static org.ulfmj.testkit.Programs.ranks;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import java.util.List;
import mpi.Group;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests behaviours like those that the fault-tolerance tests of MPICH check. */
class MpichProgramsTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;

    @Test
    void shouldLeaveTheOthersAloneWhenARankDies() {
        LocalResult result = LocalWorld.run(4, program(rank -> {
            dieIf(rank == 1);
        }));
        assertThat(result.requireSurvivorsSucceeded().ranks(RankEnd.FINALIZED)).containsExactly(0, 2, 3);
    }

    @Test
    void shouldEndTheWholeJobOnAbortAlsoWithFaultTolerance() {
        LocalResult result = LocalWorld.run(2, program(rank -> {
            if (rank == 1) {
                WORLD.abort(5);
            }
            WORLD.barrier();
        }));
        assertThat(result.abortCode()).isEqualTo(5);
    }

    @Test
    void shouldCarryMessagesBetweenSurvivors() {
        LocalResult result = LocalWorld.run(4, program(rank -> {
            dieIf(rank == 1);
            awaitFailed(WORLD, 1);
            int[] data = {42};
            if (rank == 0) {
                WORLD.send(data, 1, MPI.INT, 2, 0);
                WORLD.recv(data, 1, MPI.INT, 3, 0);
                assertThat(data[0]).isEqualTo(43);
            } else if (rank == 2) {
                data[0] = 0;
                WORLD.recv(data, 1, MPI.INT, 0, 0);
                data[0]++;
                WORLD.send(data, 1, MPI.INT, 3, 0);
            } else {
                WORLD.recv(data, 1, MPI.INT, 2, 0);
                WORLD.send(data, 1, MPI.INT, 0, 0);
            }
        }));
        assertThat(result.requireSurvivorsSucceeded().ranks(RankEnd.FINALIZED)).containsExactly(0, 2, 3);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100_000, 1_000_000})
    void shouldSendToADeadRankOrSayThatItFailed(int count) {
        survivorsSucceed(2, rank -> {
            dieIf(rank == 1);
            for (int i = 0; i < 2; i++) {
                assertThat(errorClass(() -> WORLD.send(new byte[count], count, MPI.BYTE, 1, 0)))
                        .isIn(MPI.SUCCESS, MPI.ERR_PROC_FAILED);
            }
            raises(MPI.ERR_PROC_FAILED, () -> WORLD.sSend(new byte[count], count, MPI.BYTE, 1, 0));
        });
    }

    @Test
    void shouldNotReceiveFromADeadRank() {
        survivorsSucceed(2, rank -> {
            dieIf(rank == 1);
            MPIException exception = raises(MPI.ERR_PROC_FAILED, () -> WORLD.recv(new byte[1], 1, MPI.BYTE, 1, 0));
            assertThat(exception.getFailedRanks()).containsExactly(1);
            assertThat(exception.getComm()).isSameAs(WORLD);
        });
    }

    @Test
    void shouldFailABarrierThatADeadRankCannotEnter() {
        survivorsSucceed(4, rank -> {
            dieIf(rank == 1);
            raises(MPI.ERR_PROC_FAILED, WORLD::barrier);
        });
    }

    /**
     * Shows that a non-blocking barrier on a communicator with a dead rank fails, and another one at the same time on a
     * communicator without that rank succeeds.
     */
    @Test
    void shouldFailANonBlockingBarrierAndLeaveOneOfTheOthersAlone() {
        survivorsSucceed(4, rank -> {
            Intracomm small = WORLD.createGroup(WORLD.getGroup().excl(new int[] {1}), 1);
            dieIf(rank == 1);
            Request withDead = WORLD.iBarrier();
            Request amongLiving = small.iBarrier();
            raises(MPI.ERR_PROC_FAILED, withDead::waitFor);
            amongLiving.waitFor();
            assertThat(amongLiving.isNull() && withDead.isNull()).isTrue();
        });
    }

    @Test
    void shouldFailAtTheRootThatMissesAContribution() {
        survivorsSucceed(4, rank -> {
            dieIf(rank == 1);
            int error = errorClass(() -> WORLD.gather(new int[] {rank}, 1, MPI.INT, new int[4], 1, MPI.INT, 0));
            assertThat(error).isIn(rank == 0 ? failed() : successOrFailed());
        });
        survivorsSucceed(4, rank -> {
            dieIf(rank == 1);
            int error = errorClass(() -> WORLD.reduce(new int[] {rank}, new int[1], 1, MPI.INT, MPI.SUM, 0));
            assertThat(error).isIn(rank == 0 ? failed() : successOrFailed());
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100_000})
    void shouldBroadcastAndScatterToWhomItCanAndReduceOnAGroupMadeBefore(int count) {
        for (boolean scatter : new boolean[] {false, true}) {
            Meeting made = new Meeting(4);
            LocalResult result = LocalWorld.run(4, program(rank -> {
                Group survivors = WORLD.getGroup().excl(new int[] {1});
                Intracomm small = rank == 1 ? null : WORLD.createGroup(survivors, 7);
                made.attend();
                dieIf(rank == 1);
                int error = errorClass(() -> {
                    if (scatter) {
                        WORLD.scatter(new byte[4 * count], count, MPI.BYTE, new byte[count], count, MPI.BYTE, 0);
                    } else {
                        WORLD.bcast(new byte[count], count, MPI.BYTE, 0);
                    }
                });
                assertThat(error).isIn(successOrFailed());
                int[] sum = new int[1];
                small.allReduce(new int[] {1}, sum, 1, MPI.INT, MPI.SUM);
                assertThat(sum[0]).isEqualTo(3);
            }));
            assertThat(result.requireSurvivorsSucceeded().ranks(RankEnd.FINALIZED))
                    .containsExactly(0, 2, 3);
        }
    }

    @Test
    void shouldFailAWildcardReceiveUntilTheFailureIsAcknowledged() {
        survivorsSucceed(3, rank -> {
            dieIf(rank == 1);
            awaitFailed(WORLD, 1);
            int[] data = new int[1];
            if (rank == 0) {
                raises(MPI.ERR_PROC_FAILED, () -> WORLD.recv(data, 1, MPI.INT, MPI.ANY_SOURCE, 0));
                acknowledgeTheOldWay();
                WORLD.send(data, 1, MPI.INT, 2, 1);
                WORLD.recv(data, 1, MPI.INT, MPI.ANY_SOURCE, 0);
                assertThat(data[0]).isEqualTo(9);
            } else {
                WORLD.recv(data, 1, MPI.INT, 0, 1);
                WORLD.send(new int[] {9}, 1, MPI.INT, 0, 0);
            }
        });
    }

    @Test
    void shouldRefuseABarrierOnARevokedCommunicatorThoughNoRankFailed() {
        survivorsSucceed(2, rank -> {
            Intracomm dup = WORLD.dup();
            if (rank == 0) {
                dup.revoke();
            }
            raises(MPI.ERR_REVOKED, () -> {
                while (true) {
                    dup.barrier();
                }
            });
            assertThat(dup.isRevoked()).isTrue();
            assertThat(WORLD.isRevoked()).isFalse();
            WORLD.barrier();
        });
    }

    @Test
    void shouldShrinkToThoseThatLive() {
        survivorsSucceed(8, rank -> {
            dieIf(rank == 2);
            Intracomm shrunk = shrinkUntil(WORLD, 7);
            assertThat(shrunk.getRank()).isEqualTo(rank < 2 ? rank : rank - 1);
            shrunk.barrier();
        });
    }

    @Test
    void shouldAgreeAndSaySoUntilAllHaveAcknowledged() {
        survivorsSucceed(4, rank -> {
            dieIf(rank == 3);
            awaitFailed(WORLD, 3);
            int[] flag = {rank == 0 ? 0 : 1};
            MPIException exception = raises(MPI.ERR_PROC_FAILED, () -> WORLD.agree(flag));
            assertThat(flag[0]).isZero();
            assertThat(exception.getAgreedValue()).isZero();
            acknowledgeTheOldWay();
            int[] second = {rank == 0 ? 0 : 1};
            WORLD.agree(second);
            assertThat(second[0]).isZero();
        });
    }

    @Test
    void shouldAgreeAgainOnWhatShrinkMade() {
        Meeting made = new Meeting(4);
        survivorsSucceed(4, rank -> {
            Intracomm dup = WORLD.dup();
            made.attend();
            dieIf(rank == 1);
            awaitFailed(dup, 1);
            raises(MPI.ERR_PROC_FAILED, () -> dup.agree(1));
            Intracomm shrunk = dup.shrink();
            assertThat(shrunk.getSize()).isEqualTo(3);
            assertThat(shrunk.agree(rank == 0 ? 3 : 5)).isEqualTo(1);
        });
    }

    @Test
    void shouldKeepWhatWasAcknowledgedUntilItIsAskedAgain() {
        survivorsSucceed(3, rank -> {
            dieIf(rank == 1);
            awaitFailed(WORLD, 1);
            if (rank == 2) {
                WORLD.recv(new int[1], 1, MPI.INT, 0, 0);
                Faults.die();
            }
            acknowledgeTheOldWay();
            assertThat(ackedRanks()).containsExactly(1);
            WORLD.send(new int[1], 1, MPI.INT, 2, 0);
            awaitFailed(WORLD, 2);
            assertThat(ackedRanks()).containsExactly(1);
            assertThat(failedRanks(WORLD)).containsExactly(1, 2);
            acknowledgeTheOldWay();
            assertThat(ackedRanks()).containsExactly(1, 2);
        });
    }

    /**
     * Shrinks until the communicator has no more than {@code size} members: a member whose death no rank has noticed
     * yet may remain after a shrink.
     */
    static Intracomm shrinkUntil(Intracomm comm, int size) {
        Intracomm shrunk = comm.shrink();
        while (shrunk.getSize() > size) {
            Intracomm smaller = shrunk.shrink();
            shrunk.free();
            shrunk = smaller;
        }
        return shrunk;
    }

    private static List<Integer> failed() {
        return List.of(MPI.ERR_PROC_FAILED);
    }

    private static List<Integer> successOrFailed() {
        return List.of(MPI.SUCCESS, MPI.ERR_PROC_FAILED);
    }

    @SuppressWarnings("deprecation")
    private static void acknowledgeTheOldWay() {
        WORLD.failureAck();
    }

    @SuppressWarnings("deprecation")
    private static int[] ackedRanks() {
        return ranks(WORLD.failureGetAcked(), WORLD);
    }
}
