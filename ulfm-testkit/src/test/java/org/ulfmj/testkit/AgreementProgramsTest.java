package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.awaitFailed;
import static org.ulfmj.testkit.Programs.dieIf;
import static org.ulfmj.testkit.Programs.failedRanks;
import static org.ulfmj.testkit.Programs.program;
import static org.ulfmj.testkit.Programs.raises;
import static org.ulfmj.testkit.Programs.ranks;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.junit.jupiter.api.Test;

/** Tests acknowledging, agreeing and finalizing, also where some ranks shrink meanwhile by mistake. */
class AgreementProgramsTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;

    @Test
    void shouldAcknowledgeAPrefixOfTheFailuresInTheOrderOfTheirDiscovery() {
        survivorsSucceed(5, rank -> {
            dieIf(rank == 4);
            awaitFailed(WORLD, 4);
            if (rank == 2) {
                for (int survivor : new int[] {0, 1, 3}) {
                    WORLD.recv(new int[1], 1, MPI.INT, survivor, 0);
                }
                Faults.die();
            }
            WORLD.send(new int[1], 1, MPI.INT, 2, 0);
            awaitFailed(WORLD, 2);

            assertThat(failedRanks(WORLD)).containsExactly(4, 2);
            assertThat(WORLD.ackFailed(0)).isZero();
            wildcardIsClosed();
            assertThat(WORLD.ackFailed(1)).isEqualTo(1);
            wildcardIsClosed();
            raises(MPI.ERR_PROC_FAILED, () -> WORLD.agree(1));
            assertThat(WORLD.ackFailed(5)).isEqualTo(2);
            assertThat(WORLD.iProbe(MPI.ANY_SOURCE, 9)).isNull();
            assertThat(WORLD.agree(rank == 3 ? 6 : 3)).isEqualTo(2);

            dieIf(rank == 1);
            awaitFailed(WORLD, 1);
            assertThat(failedRanks(WORLD)).containsExactly(4, 2, 1);
            assertThat(WORLD.ackFailed(0)).isEqualTo(2);
            assertThat(WORLD.ackFailed(1)).isEqualTo(2);
            wildcardIsClosed();
        });
    }

    private static void wildcardIsClosed() {
        raises(MPI.ERR_PROC_FAILED, () -> WORLD.recv(new int[1], 1, MPI.INT, MPI.ANY_SOURCE, 9));
    }

    @Test
    void shouldNotAcknowledgeOnOneCommunicatorWhatWasAcknowledgedOnAnother() {
        Meeting made = new Meeting(3);
        survivorsSucceed(3, rank -> {
            Intracomm dup = WORLD.dup();
            made.attend();
            dieIf(rank == 2);
            awaitFailed(WORLD, 2);
            assertThat(dup.ackFailed()).isEqualTo(1);
            assertThat(WORLD.ackFailed(0)).isZero();
            assertThat(dup.agree(1)).isEqualTo(1);
            raises(MPI.ERR_PROC_FAILED, () -> WORLD.agree(1));
        });
    }

    @Test
    void shouldKnowEveryAgreedFailureAfterAgreeRaised() {
        survivorsSucceed(LocalWorld.of(6).killing(5, "agree", 1), rank -> {
            MPIException exception = raises(MPI.ERR_PROC_FAILED, () -> WORLD.agree(1 << rank | 64));
            assertThat(exception.getAgreedValue()).isEqualTo(64);
            assertThat(exception.getFailedRanks()).containsExactly(5);
            assertThat(failedRanks(WORLD)).containsExactly(5);
        });
    }

    @Test
    void shouldAgreeOnTheSameGroupOfFailedRanks() {
        survivorsSucceed(6, rank -> {
            dieIf(rank == 4 || rank == 1);
            if (rank == 0) {
                awaitFailed(WORLD, 1, 4);
            }
            assertThat(ranks(WORLD.agreeFailed(), WORLD)).containsExactlyInAnyOrder(1, 4);
        });
    }

    @Test
    void shouldGiveTheSameAnswerWhetherRevokedOrNot() {
        survivorsSucceed(4, rank -> {
            Intracomm dup = WORLD.dup();
            if (rank == 2) {
                dup.revoke();
            }
            for (int i = 0; i < 20; i++) {
                assertThat(dup.agree(rank == 1 ? 9 : 11)).isEqualTo(9);
            }
        });
    }

    @Test
    void shouldTellEverybodyThatSomeAgreeAndSomeShrink() {
        survivorsSucceed(4, rank -> {
            MPIException exception = raises(MPI.ERR_ARG, () -> {
                if (rank < 2) {
                    WORLD.agree(1);
                } else {
                    WORLD.shrink();
                }
            });
            if (rank < 2) {
                assertThat(exception.getMessage())
                        .contains("agree")
                        .contains("rank 2")
                        .contains("shrink");
            } else {
                assertThat(exception.getMessage())
                        .contains("shrink")
                        .contains("rank 0")
                        .contains("agree");
            }
            assertThat(WORLD.agree(1)).isEqualTo(1);
        });
    }

    @Test
    void shouldTellEverybodyThatSomeFinalizeAndSomeShrink() {
        LocalResult result = LocalWorld.run(3, () -> {
            MPI.Init(new String[0]);
            int rank = WORLD.getRank();
            MPIException exception = raises(MPI.ERR_ARG, () -> {
                if (rank == 1) {
                    MPI.Finalize();
                } else {
                    WORLD.shrink();
                }
            });
            if (rank == 1) {
                assertThat(exception.getMessage()).contains("rank 0").contains("shrink");
            } else {
                assertThat(exception.getMessage()).contains("rank 1").containsIgnoringCase("finalize");
            }
            assertThat(MPI.isFinalized()).isFalse();
            WORLD.barrier();
            MPI.Finalize();
        });
        assertThat(result.requireSurvivorsSucceeded().ranks(RankEnd.FINALIZED)).containsExactly(0, 1, 2);
    }

    @Test
    void shouldFinalizeWhateverHasFailedOrIsRevoked() {
        for (int dead = 0; dead < 4; dead++) {
            int victim = dead;
            LocalResult result = LocalWorld.run(4, program(rank -> {
                dieIf(rank == victim);
                if (rank == (victim + 1) % 4) {
                    WORLD.revoke();
                }
            }));
            assertThat(result.requireSurvivorsSucceeded().ranks(RankEnd.FINALIZED))
                    .hasSize(3);
        }
    }

    @Test
    void shouldFinalizeThoughARankDiesInFinalize() {
        for (int victim = 0; victim < 5; victim++) {
            LocalResult result = LocalWorld.of(5).killing(victim, "Finalize", 1).run(program(rank -> {}));
            assertThat(result.requireSurvivorsSucceeded().ranks(RankEnd.FINALIZED))
                    .hasSize(4);
        }
    }

    @Test
    void shouldRefuseCallsAfterFinalize() {
        LocalWorld.run(2, () -> {
                    MPI.Init(new String[0]);
                    MPI.Finalize();
                    assertThat(MPI.isFinalized()).isTrue();
                    raises(MPI.ERR_OTHER, WORLD::barrier);
                })
                .requireSurvivorsSucceeded();
    }
}
