package examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import mpi.MPI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.testkit.LocalResult;
import org.ulfmj.testkit.LocalWorld;
import org.ulfmj.testkit.RankEnd;

class PlanBTest {
    @Test
    void shouldStayWithPlanAWithoutDeaths() {
        assertThat(run(LocalWorld.of(4), true).ranks(RankEnd.FINALIZED)).containsExactly(0, 1, 2, 3);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 10})
    void shouldMeetInPlanBUnderAnyDeath(int round) {
        for (int victim = 0; victim < 5; victim++) {
            LocalResult result = run(LocalWorld.of(5).killing(victim, "iter", round), true);
            assertThat(result.ranks(RankEnd.KILLED)).containsExactly(victim);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"revoke", "agree", "shrink", "gather"})
    void shouldMeetInPlanBWhenAnotherOneDiesOnTheWay(String operation) {
        LocalResult result = run(LocalWorld.of(5).killing(0, "iter", 3).killing(1, operation, 1), true);
        assertThat(result.ranks(RankEnd.KILLED)).containsExactly(0, 1);
    }

    /**
     * Without a revocation the job stands still: ranks 2 and 3 wait for live ranks, and rank 1 waits for them in the
     * agreement.
     */
    @Test
    void shouldStandStillWhenNoRankIsTold() {
        LocalWorld world = LocalWorld.of(4).killing(0, "iter", 3).timeout(Duration.ofSeconds(2));
        assertThatThrownBy(() -> run(world, false))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("has not ended")
                .hasMessageContaining("recv");
    }

    private static LocalResult run(LocalWorld world, boolean revokes) {
        return world.run(() -> {
                    MPI.Init(new String[0]);
                    new PlanB(revokes).run(MPI.COMM_WORLD);
                    MPI.Finalize();
                })
                .requireSurvivorsSucceeded();
    }
}
