package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import mpi.MPI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.testkit.LocalResult;
import org.ulfmj.testkit.LocalWorld;
import org.ulfmj.testkit.RankEnd;

/**
 * Tests the example TaskFarm over ranks as threads: all primes are counted once although workers die, and the job ends
 * if the manager dies.
 */
class TaskFarmTest {
    private static final int PIECES = 20;
    private static final int PRIMES_BELOW_A_MILLION = 78_498;

    private final AtomicInteger total = new AtomicInteger();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void shouldCountThePrimesWithoutDeaths(int ranks) {
        run(LocalWorld.of(ranks));
        assertThat(total).hasValue(PRIMES_BELOW_A_MILLION);
    }

    @ParameterizedTest
    @CsvSource({"recv,1", "recv,2", "iter,1", "iter,2", "send,1", "send,2"})
    void shouldGiveTheWorkOfADeadWorkerToOthers(String operation, int nth) {
        for (int victim = 1; victim < 4; victim++) {
            LocalResult result = run(LocalWorld.of(4).killing(victim, operation, nth));
            assertThat(result.ranks(RankEnd.KILLED)).isSubsetOf(victim);
            assertThat(total).hasValue(PRIMES_BELOW_A_MILLION);
        }
    }

    @Test
    void shouldDoTheRestAloneWhenAllWorkersDie() {
        LocalWorld world =
                LocalWorld.of(4).killing(1, "iter", 2).killing(2, "send", 1).killing(3, "recv", 3);
        LocalResult result = run(world);
        assertThat(result.ranks(RankEnd.KILLED)).containsExactly(1, 2, 3);
        assertThat(total).hasValue(PRIMES_BELOW_A_MILLION);
    }

    @ParameterizedTest
    @CsvSource({"send,1", "recv,1", "recv,7", "ackFailed,1"})
    void shouldEndTheJobWhenTheManagerDies(String operation, int nth) {
        LocalResult result = run(LocalWorld.of(4).killing(2, "iter", 1).killing(0, operation, nth));
        assertThat(result.isAborted()).as(result.toString()).isTrue();
        assertThat(result.abortCode()).isEqualTo(TaskFarm.MANAGER_DIED);
        assertThat(result.end(0)).isEqualTo(RankEnd.KILLED);
        assertThat(result.ranks(RankEnd.FINALIZED)).isEmpty();
    }

    private LocalResult run(LocalWorld world) {
        total.set(0);
        LocalResult result = world.run(() -> {
            MPI.Init(new String[0]);
            if (MPI.COMM_WORLD.getRank() == TaskFarm.MANAGER) {
                TaskManager manager = new TaskManager(MPI.COMM_WORLD, PIECES);
                manager.run();
                total.set(manager.total());
            } else {
                TaskFarm.serve(MPI.COMM_WORLD);
            }
            MPI.Finalize();
        });
        return result.isAborted() ? result : result.requireSurvivorsSucceeded();
    }
}
