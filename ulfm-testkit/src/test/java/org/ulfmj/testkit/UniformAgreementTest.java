package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.dieIf;
import static org.ulfmj.testkit.Programs.program;
import static org.ulfmj.testkit.Programs.raises;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import mpi.AgreeMode;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests the uniform mode of agree; among others that the outcome that a rank returned with and made known outside,
 * before it died, is that of the survivors, too.
 */
class UniformAgreementTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;

    @ParameterizedTest
    @EnumSource
    void shouldAgreeOnTheSameInBothModesWithoutFailures(AgreeMode mode) {
        survivorsSucceed(5, rank -> {
            Intracomm dup = WORLD.dup();
            for (int round = 0; round < 20; round++) {
                assertThat(dup.agree(~(1 << rank), mode)).isEqualTo(~0b11111);
                assertThat(WORLD.agree(rank == 2 ? 6 : 3, mode)).isEqualTo(2);
            }
            dup.revoke();
            assertThat(dup.agree(rank, mode)).isZero();
        });
    }

    /**
     * In each round the first rank that returns from agree notes its outcome where all can read it, as if in a file,
     * and all others must have the same outcome; then the rank with the number of the round dies.
     */
    @Test
    void shouldBindTheSurvivorsToWhatADeadRankHasMadeKnown() {
        int ranks = 5;
        Map<Integer, String> outside = new ConcurrentHashMap<>();
        ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
        LocalResult result = LocalWorld.run(ranks, program(rank -> {
            Intracomm comm = WORLD;
            for (int round = 0; round < ranks - 1; round++) {
                String mine = agreed(comm, ~(1 << rank));
                String known = outside.putIfAbsent(round, mine);
                if (known != null && !known.equals(mine)) {
                    wrong.add("round " + round + ": " + known + " was made known, rank " + rank + " has " + mine);
                }
                dieIf(rank == round);
                comm = comm.shrink();
            }
        }));
        result.requireSurvivorsSucceeded();
        assertThat(result.ranks(RankEnd.KILLED)).isEqualTo(List.of(0, 1, 2, 3));
        assertThat(wrong).isEmpty();
        assertThat(outside).hasSize(ranks - 1);
    }

    private static String agreed(Intracomm comm, int flag) {
        try {
            return "value " + comm.agree(flag, AgreeMode.UNIFORM);
        } catch (MPIException e) {
            assertThat(e.getErrorClass()).isEqualTo(MPI.ERR_PROC_FAILED);
            return "failed, value " + e.getAgreedValue();
        }
    }

    @Test
    void shouldRaiseAtAllWhenARankDiesInsteadOfCallingAndNoRankAcknowledged() {
        LocalResult result = LocalWorld.of(4).killing(2, "agree", 1).run(program(rank -> {
            MPIException failed = raises(MPI.ERR_PROC_FAILED, () -> WORLD.agree(6 + rank, AgreeMode.UNIFORM));
            assertThat(failed.getAgreedValue()).isEqualTo(6 & 7 & 9);
            assertThat(failed.getFailedRanks()).contains(2);
            assertThat(failed.getMessage())
                    .contains("agree(UNIFORM)")
                    .contains("not every member has acknowledged the failure of rank 2");
            WORLD.ackFailed();
            assertThat(WORLD.agree(6 + rank, AgreeMode.UNIFORM)).isEqualTo(0);
        }));
        result.requireSurvivorsSucceeded();
        assertThat(result.ranks(RankEnd.FINALIZED)).containsExactly(0, 1, 3);
    }

    @Test
    void shouldDiagnoseDifferentModesInOneAgreement() {
        survivorsSucceed(3, rank -> {
            MPIException mixed = raises(
                    MPI.ERR_ARG, () -> WORLD.agree(1, rank == 1 ? AgreeMode.EARLY_RETURNING : AgreeMode.UNIFORM));
            assertThat(mixed.getMessage())
                    .contains(rank == 1 ? "this rank called agree at" : "this rank called agree(UNIFORM) at")
                    .contains(rank == 1 ? "rank 0 called agree(UNIFORM)" : "rank 1 called agree");
            assertThat(WORLD.agree(rank + 4, AgreeMode.UNIFORM)).isEqualTo(4);
        });
    }

    @Test
    void shouldNameTheArgumentWhenTheModeIsMissing() {
        survivorsSucceed(1, rank -> {
            MPIException wrong = raises(MPI.ERR_ARG, () -> WORLD.agree(1, null));
            assertThat(wrong.getMessage()).contains("agree", "mode is null");
            assertThat(WORLD.agree(5, AgreeMode.UNIFORM)).isEqualTo(5);
            assertThat(MPI.COMM_SELF.agree(5, AgreeMode.UNIFORM)).isEqualTo(5);
        });
    }

    @Test
    void shouldAgreeWithoutFaultToleranceToo() {
        survivorsSucceed(
                LocalWorld.of(3).settings(settings -> settings.withFaultTolerance(false)),
                rank -> assertThat(WORLD.agree(8 + rank, AgreeMode.UNIFORM)).isEqualTo(8));
    }

    @Test
    void shouldGoOnWithAMajorityAndEndWithoutOneWhenItIsAskedFor() {
        Meeting shrunk = new Meeting(4);
        LocalResult result = LocalWorld.of(5)
                .settings(settings -> settings.withMajority(true))
                .run(program(rank -> {
                    dieIf(rank == 4);
                    Intracomm four = WORLD.shrink();
                    shrunk.attend();
                    dieIf(rank >= 2);
                    Programs.awaitFailed(four, 2, 3);
                    four.shrink();
                }));
        assertThat(result.ranks(RankEnd.FENCED)).containsExactly(0, 1);
        assertThat(result.outcome(0).reason() + result.outcome(1).reason())
                .contains("of the 4 processes that the last agreement left 2 are left on this side")
                .contains("ulfm.ft.quorum=majority");
    }
}
