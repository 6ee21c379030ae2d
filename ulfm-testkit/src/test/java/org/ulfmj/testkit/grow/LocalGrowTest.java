package org.ulfmj.testkit.grow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ProcFailedException;
import org.junit.jupiter.api.Test;
import org.ulfmj.testkit.LocalResult;
import org.ulfmj.testkit.LocalWorld;
import org.ulfmj.testkit.RankEnd;

/** Tests processes that join a running world of threads, and are let in by grow(). */
class LocalGrowTest {
    private final AtomicInteger newcomers = new AtomicInteger();

    private static void awaitWaiting(int processes) throws InterruptedException {
        while (MPI.numWaiting() < processes) {
            Thread.sleep(1);
        }
    }

    private static int sumOfRanks() {
        int[] sum = {MPI.COMM_WORLD.getRank() + 1};
        MPI.COMM_WORLD.allReduce(sum, 1, MPI.INT, MPI.SUM);
        return sum[0];
    }

    @Test
    void shouldLetAProcessIntoAWorldOfTwo() {
        LocalResult result = LocalWorld.of(2).joining(1).run(() -> {
            MPI.Init(new String[0]);
            if (MPI.isNewcomer()) {
                newcomers.incrementAndGet();
                assertThat(MPI.COMM_WORLD.getRank()).isEqualTo(2);
            } else {
                int before = MPI.COMM_WORLD.getRank();
                assertThat(sumOfRanks()).isEqualTo(3);
                awaitWaiting(1);
                Intracomm grown = MPI.COMM_WORLD.grow();
                assertThat(grown).isSameAs(MPI.COMM_WORLD);
                assertThat(grown.getRank()).isEqualTo(before);
                assertThat(MPI.isReplacement()).isFalse();
            }
            assertThat(MPI.COMM_WORLD.getSize()).isEqualTo(3);
            assertThat(sumOfRanks()).isEqualTo(6);
            int[] passed = {MPI.COMM_WORLD.getRank()};
            MPI.COMM_WORLD.sendRecvReplace(passed, 1, MPI.INT, (passed[0] + 1) % 3, 7, (passed[0] + 2) % 3, 7);
            assertThat(passed[0]).isEqualTo((MPI.COMM_WORLD.getRank() + 2) % 3);
            assertThat(MPI.numWaiting()).isZero();
            MPI.Finalize();
        });
        result.requireSurvivorsSucceeded();
        assertThat(result.ranks(RankEnd.FINALIZED)).containsExactly(0, 1, 2);
        assertThat(newcomers).hasValue(1);
    }

    @Test
    void shouldLetInOneAfterAnotherAndThoseThatWereLetInGrowTheWorldToo() {
        LocalResult result = LocalWorld.of(1).joining(3).run(() -> {
            MPI.Init(new String[0]);
            if (!MPI.isNewcomer()) {
                awaitWaiting(1);
            }
            while (MPI.COMM_WORLD.getSize() < 4) {
                MPI.COMM_WORLD.grow();
            }
            assertThat(sumOfRanks()).isEqualTo(10);
            MPI.Finalize();
        });
        result.requireSurvivorsSucceeded();
        assertThat(result.ranks(RankEnd.FINALIZED)).containsExactly(0, 1, 2, 3);
    }

    /**
     * In a world of 16 not all members are neighbours in the overlay: some newcomers are welcomed by other newcomers
     * only.
     */
    @Test
    void shouldLetInManyAtOnceOfWhomSomeAreToldByOtherNewcomersOnly() {
        LocalResult result = LocalWorld.of(1).joining(15).run(() -> {
            MPI.Init(new String[0]);
            if (!MPI.isNewcomer()) {
                awaitWaiting(15);
                MPI.COMM_WORLD.grow();
            }
            assertThat(sumOfRanks()).isEqualTo(136);
            MPI.Finalize();
        });
        result.requireSurvivorsSucceeded();
        assertThat(result.size()).isEqualTo(16);
    }

    @Test
    void shouldRefuseToReplaceAtOnceWhereProcessesComeByGrow() {
        LocalResult result = LocalWorld.of(3)
                .joining(1)
                .killing(1, "barrier", 1)
                .run(() -> {
                    MPI.Init(new String[0]);
                    if (MPI.isNewcomer()) {
                        return;
                    }
                    assertThatThrownBy(() -> MPI.COMM_WORLD.barrier()).isInstanceOf(MPIException.class);
                    assertThatThrownBy(() -> MPI.COMM_WORLD.replace())
                            .isInstanceOf(MPIException.class)
                            .hasMessageContaining("processes come into this world by grow()");
                    MPI.COMM_WORLD.shrink();
                    MPI.Finalize();
                });
        assertThat(result.ranks(RankEnd.FINALIZED)).containsExactly(0, 2);
    }

    @Test
    void shouldChangeNothingWhereNoProcessWaits() {
        LocalWorld.of(2)
                .run(() -> {
                    MPI.Init(new String[0]);
                    assertThat(MPI.numWaiting()).isZero();
                    assertThat(MPI.COMM_WORLD.grow().getSize()).isEqualTo(2);
                    assertThat(MPI.isNewcomer()).isFalse();
                    assertThat(sumOfRanks()).isEqualTo(3);
                    MPI.Finalize();
                })
                .requireSurvivorsSucceeded();
    }

    @Test
    void shouldEndWithoutAProcessThatIsNotLetIn() {
        LocalResult result = LocalWorld.of(2).joining(1).run(() -> {
            MPI.Init(new String[0]);
            assertThat(MPI.isNewcomer()).isFalse();
            awaitWaiting(1);
            MPI.Finalize();
        });
        result.requireSurvivorsSucceeded();
        assertThat(result.size()).isEqualTo(2);
    }

    @Test
    void shouldRefuseAnotherCommunicatorThanTheWorld() {
        LocalWorld.of(2)
                .run(() -> {
                    MPI.Init(new String[0]);
                    assertThatThrownBy(() -> MPI.COMM_SELF.grow())
                            .isInstanceOf(MPIException.class)
                            .hasMessageContaining("the members of the present world");
                    MPI.Finalize();
                })
                .requireSurvivorsSucceeded();
    }

    /** The program of a world in which processes may die: it calls grow until all members have got the sum. */
    private static void sumAndGrowAgain() throws InterruptedException {
        MPI.Init(new String[0]);
        if (!MPI.isNewcomer()) {
            awaitWaiting(1);
            MPI.COMM_WORLD.grow();
        }
        while (!isSummedEverywhere()) {
            MPI.COMM_WORLD.grow();
        }
        MPI.Finalize();
    }

    private static boolean isSummedEverywhere() {
        int isSummed = 1;
        try {
            sumOfRanks();
        } catch (MPIException failed) {
            isSummed = 0;
            MPI.COMM_WORLD.revoke();
        }
        try {
            return MPI.COMM_WORLD.agree(isSummed) == 1;
        } catch (ProcFailedException failed) {
            return false;
        }
    }

    @Test
    void shouldLeaveOutANewcomerThatDies() {
        LocalResult result =
                LocalWorld.of(2).joining(1).killing(2, "allReduce", 1).run(LocalGrowTest::sumAndGrowAgain);
        result.requireSurvivorsSucceeded();
        assertThat(result.ranks(RankEnd.FINALIZED)).containsExactly(0, 1);
        assertThat(result.end(2)).isEqualTo(RankEnd.KILLED);
    }

    @Test
    void shouldLeaveOutAMemberThatDiesWhenItIsAboutToGrow() {
        LocalResult result = LocalWorld.of(3).joining(1).killing(1, "grow", 1).run(LocalGrowTest::sumAndGrowAgain);
        result.requireSurvivorsSucceeded();
        assertThat(result.ranks(RankEnd.FINALIZED)).containsExactly(0, 2, 3);
    }

    @Test
    void shouldLeaveOutAMemberThatDiesAfterTheWorldHasGrown() {
        LocalResult result =
                LocalWorld.of(3).joining(1).killing(0, "allReduce", 1).run(LocalGrowTest::sumAndGrowAgain);
        result.requireSurvivorsSucceeded();
        assertThat(result.ranks(RankEnd.FINALIZED)).containsExactly(1, 2, 3);
    }
}
