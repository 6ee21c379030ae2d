package org.ulfmj.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import mpi.MPI;
import mpi.MPIException;
import mpi.ProcFailedException;
import mpi.RevokedException;
import org.junit.jupiter.api.Test;

/** Up to all three ranks die in a run, while they sum or have others replaced. No run may hang because of that. */
class AllDieWhileReplacingTest {
    private static final int RANKS = 3;
    private static final int SEEDS = 60;

    private static void program() throws MPIException {
        MPI.Init(new String[0]);
        boolean all = false;
        while (!all) {
            boolean here = false;
            try {
                for (int i = 0; i < 6; i++) {
                    MPI.COMM_WORLD.allReduce(new int[] {1}, 1, MPI.INT, MPI.SUM);
                }
                here = true;
            } catch (ProcFailedException | RevokedException failure) {
                MPI.COMM_WORLD.revoke();
            }
            try {
                all = MPI.COMM_WORLD.agree(here ? 1 : 0) == 1;
            } catch (ProcFailedException failure) {
                all = false;
            }
            if (!all) {
                MPI.COMM_WORLD.replace();
            }
        }
        MPI.Finalize();
    }

    @Test
    void shouldLetNoRankWaitForMembersThatAreDead() {
        int deaths = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            deaths += SimWorld.of(RANKS)
                    .seed(seed)
                    .restarting(6)
                    .faults("kill:rank=any(3)@t=random(200us)")
                    .run(AllDieWhileReplacingTest::program)
                    .deaths();
        }
        assertThat(deaths).isGreaterThan(SEEDS);
    }
}
