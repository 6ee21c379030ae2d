package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.awaitFailed;
import static org.ulfmj.testkit.Programs.dieIf;
import static org.ulfmj.testkit.Programs.errorClass;
import static org.ulfmj.testkit.Programs.failedRanks;
import static org.ulfmj.testkit.Programs.program;
import static org.ulfmj.testkit.Programs.raises;

import java.time.Duration;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.junit.jupiter.api.Test;

/** Tests deaths of which the survivors are not told: only the silence of a dead rank shows that it has failed. */
class SilenceTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    private static final Duration SILENCE = Duration.ofMillis(600);

    private static LocalWorld silentWorld(int ranks) {
        return LocalWorld.of(ranks).withoutEvidence().detectorTimeout(SILENCE);
    }

    @Test
    void shouldEndAWaitForARankThatFellSilent() {
        LocalResult result = silentWorld(2).run(program(rank -> {
            dieIf(rank == 1);
            MPIException exception = raises(MPI.ERR_PROC_FAILED, () -> WORLD.recv(new int[1], 1, MPI.INT, 1, 0));
            assertThat(exception.getMessage()).contains("was silent for");
        }));
        assertThat(result.requireSurvivorsSucceeded().ranks(RankEnd.KILLED)).containsExactly(1);
    }

    @Test
    void shouldTellEveryMemberWhateverItDoes() {
        silentWorld(5)
                .run(program(rank -> {
                    dieIf(rank == 3);
                    if (rank % 2 == 0) {
                        raises(MPI.ERR_PROC_FAILED, WORLD::barrier);
                    } else {
                        awaitFailed(WORLD, 3);
                    }
                    assertThat(failedRanks(WORLD)).containsExactly(3);
                }))
                .requireSurvivorsSucceeded();
    }

    @Test
    void shouldRecoverFromNeighboursThatDieTogether() {
        LocalResult result = silentWorld(6).run(program(rank -> {
            dieIf(rank == 2 || rank == 3 || rank == 4);
            assertThat(errorClass(WORLD::barrier)).isIn(MPI.ERR_PROC_FAILED, MPI.ERR_REVOKED);
            WORLD.revoke();
            Intracomm shrunk = MpichProgramsTest.shrinkUntil(WORLD, 3);
            shrunk.barrier();
        }));
        assertThat(result.requireSurvivorsSucceeded().ranks(RankEnd.FINALIZED)).containsExactly(0, 1, 5);
    }

    @Test
    void shouldFinalizeThoughARankFallsSilentInFinalize() {
        LocalResult result = silentWorld(4)
                .killing(1, "Finalize", 1)
                .run(program(rank -> assertThat(errorClass(WORLD::barrier)).isIn(MPI.SUCCESS, MPI.ERR_PROC_FAILED)));
        assertThat(result.requireSurvivorsSucceeded().ranks(RankEnd.FINALIZED)).containsExactly(0, 2, 3);
    }
}
