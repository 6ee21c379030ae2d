package examples.soak;

import static org.assertj.core.api.Assertions.assertThat;

import examples.soak.RankStatus.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import mpi.MPI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.testkit.LocalResult;
import org.ulfmj.testkit.LocalWorld;
import org.ulfmj.testkit.RankEnd;

/**
 * Runs the soak's program over ranks as threads: random traffic, deaths at random moments, and each message that
 * arrives checked. {@code -Dsoak.schedules} sets how many schedules are run, {@code -Dsoak.seed} the seed of the first
 * one.
 */
class LocalSoakTest {
    private static final long FIRST = Long.getLong("soak.seed", 0);
    private static final long SCHEDULES = Long.getLong("soak.schedules", 100);

    static LongStream seeds() {
        return LongStream.range(FIRST, FIRST + SCHEDULES);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldLoseAndFalsifyNothingWhenRanksDieAtRandomMoments(long seed) {
        LocalPlan plan = LocalPlan.of(seed);
        List<RankStatus> statuses = new ArrayList<>();
        IntStream.range(0, plan.ranks()).forEach(rank -> statuses.add(RankStatus.inMemory()));
        LocalStrikes strikes = new LocalStrikes(plan, statuses);
        try (strikes) {
            LocalResult result = world(plan).run(() -> {
                MPI.Init(new String[0]);
                int rank = MPI.COMM_WORLD.getRank();
                strikes.arm(rank);
                RankStatus status = statuses.get(rank);
                new SoakProgram(seed, plan.deathsBeforeFinalize(), plan.lastSteps(), status).run();
                status.enter(SoakCall.FINALIZE);
                MPI.Finalize();
                status.enter(SoakCall.ENDED);
            });
            result.requireSurvivorsSucceeded();
            for (int rank = 0; rank < plan.ranks(); rank++) {
                if (!plan.isVictim(rank)) {
                    assertThat(result.end(rank)).as("%s: rank %d", plan, rank).isEqualTo(RankEnd.FINALIZED);
                    assertThat(statuses.get(rank).get(Field.FAILED) & ~plan.victims())
                            .as("%s: held for failed by rank %d without being struck", plan, rank)
                            .isZero();
                }
            }
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(plan + " (again: -Dsoak.seed=" + seed + " -Dsoak.schedules=1): " + statuses, e);
        }
    }

    private static LocalWorld world(LocalPlan plan) {
        return LocalWorld.of(plan.ranks())
                .settings(settings -> settings.withEager(plan.eagerLimitBytes(), plan.eagerCreditBytes()))
                .timeout(Duration.ofSeconds(60));
    }
}
