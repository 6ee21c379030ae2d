package org.ulfmj.testkit.replace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeSet;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.junit.jupiter.api.Test;
import org.ulfmj.testkit.Faults;
import org.ulfmj.testkit.LocalResult;
import org.ulfmj.testkit.LocalWorld;
import org.ulfmj.testkit.RankEnd;
import org.ulfmj.testkit.RankMain;
import org.ulfmj.testkit.sim.SimResult;
import org.ulfmj.testkit.sim.SimWorld;

/**
 * Tests programs whose dead ranks could be replaced but are not: a process started as a replacement ends, and no rank
 * waits for it. Also tests a replacement that is refused because the launcher is gone.
 */
class GoingOnWithoutTest {
    private static final int RANKS = 3;
    private static final int SEEDS = 100;

    /** Does up to ten barriers. If one fails, because rank 1 has died, revokes and returns true; else returns false. */
    private static boolean meetDeath(Intracomm comm) {
        try {
            for (int i = 0; i < 10; i++) {
                comm.barrier();
            }
            return false;
        } catch (MPIException failure) {
            assertThat(failure.getErrorClass()).isIn(MPI.ERR_PROC_FAILED, MPI.ERR_REVOKED);
            comm.revoke();
            return true;
        }
    }

    private static void shrinkInstead() {
        MPI.Init(new String[0]);
        if (meetDeath(MPI.COMM_WORLD)) {
            Intracomm left = MPI.COMM_WORLD.shrink();
            int[] one = {1};
            left.allReduce(one, 1, MPI.INT, MPI.SUM);
            assertThat(one[0]).isEqualTo(RANKS - 1);
        }
        MPI.Finalize();
    }

    private static void finalizeInstead() {
        MPI.Init(new String[0]);
        meetDeath(MPI.COMM_WORLD);
        MPI.Finalize();
    }

    private static void inManySchedules(RankMain main) {
        TreeSet<RankEnd> ends = new TreeSet<>();
        SimWorld.of(RANKS)
                .restarting(2)
                .faults("kill:rank=1@op=barrier#random(10)")
                .runSeeds(1, SEEDS, 2, seed -> main, result -> {
                    requireTheOthersFinalized(result.ends());
                    synchronized (ends) {
                        ends.add(result.ends().end(1));
                    }
                })
                .requireSuccess();
        // The other ranks may finish before the replacement process is there; then only the dead process is listed.
        assertThat(ends).containsExactly(RankEnd.KILLED, RankEnd.NOT_ADMITTED);
    }

    private static void requireTheOthersFinalized(LocalResult ends) {
        ends.requireSurvivorsSucceeded();
        assertThat(ends.ranks(RankEnd.FINALIZED)).containsExactly(0, 2);
    }

    @Test
    void shouldEndANewcomerWhenTheOthersShrinkInstead() {
        inManySchedules(GoingOnWithoutTest::shrinkInstead);
    }

    @Test
    void shouldEndANewcomerWhenTheOthersFinalizeInstead() {
        inManySchedules(GoingOnWithoutTest::finalizeInstead);
    }

    @Test
    void shouldDoSoWithThreadsToo() {
        for (int barrier = 1; barrier <= 10; barrier++) {
            requireTheOthersFinalized(LocalWorld.of(RANKS)
                    .restarting(2)
                    .killing(1, "barrier", barrier)
                    .run(barrier % 2 == 0 ? GoingOnWithoutTest::finalizeInstead : GoingOnWithoutTest::shrinkInstead));
        }
    }

    private static void launcherIsGone() {
        MPI.Init(new String[0]);
        if (MPI.COMM_WORLD.getRank() == 0) {
            Faults.endLauncher();
        }
        if (meetDeath(MPI.COMM_WORLD)) {
            try {
                MPI.COMM_WORLD.replace();
                throw new AssertionError("somebody was replaced");
            } catch (MPIException refused) {
                assertThat(refused.getErrorClass()).isEqualTo(MPI.ERR_SPAWN);
                // Both texts are right: a rank that does not know yet that the launcher is gone knows only from another
                // member that no process will be started for rank 1.
                assertThat(refused)
                        .hasMessageContaining("no process took the place of rank 1")
                        .message()
                        .containsAnyOf("the launcher is gone", "another member has been told");
            }
            int[] one = {1};
            MPI.COMM_WORLD.shrink().allReduce(one, 1, MPI.INT, MPI.SUM);
            assertThat(one[0]).isEqualTo(RANKS - 1);
        }
        MPI.Finalize();
    }

    @Test
    void shouldSayThatTheLauncherIsGoneAndLetTheOthersShrink() {
        requireTheOthersFinalized(
                LocalWorld.of(RANKS).restarting(2).killing(1, "barrier", 5).run(GoingOnWithoutTest::launcherIsGone));
        // Rank 1 dies in its second barrier here: in the first one it might die before the launcher ends.
        SimWorld.of(RANKS)
                .restarting(2)
                .faults("kill:rank=1@op=barrier#2")
                .runSeeds(
                        1,
                        SEEDS,
                        2,
                        seed -> GoingOnWithoutTest::launcherIsGone,
                        (SimResult result) -> requireTheOthersFinalized(result.ends()))
                .requireSuccess();
    }
}
