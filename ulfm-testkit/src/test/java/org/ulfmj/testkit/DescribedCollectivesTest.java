package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.testkit.sim.Seeds;
import org.ulfmj.testkit.sim.SimWorld;

/**
 * Shows that, where ranks describe their collective operation differently, at least one rank gets an error that says
 * so, and that the results are right where all describe it alike, with messages and with shared memory.
 */
@Timeout(240)
class DescribedCollectivesTest {
    private static final long SEEDS = Long.getLong("sim.seeds", 6);

    private static UnaryOperator<RankSettings> ways(boolean host) {
        return settings -> host ? settings : settings.withHostCollectivesAfter(RankSettings.NEVER);
    }

    private static void local(int ranks, boolean host, RankMain main) {
        LocalWorld.of(ranks).settings(ways(host)).run(main).requireSurvivorsSucceeded();
    }

    @ParameterizedTest
    @CsvSource({"4, false", "4, true", "3, false", "3, true", "2, true", "7, false"})
    void shouldTellWhenRanksAreInDifferentOperations(int ranks, boolean host) {
        DescribedCollectives program = new DescribedCollectives();
        local(ranks, host, program::beWrong);
    }

    @ParameterizedTest
    @CsvSource({"1, true", "2, true", "3, true", "4, true", "8, true", "3, false", "5, false"})
    void shouldGiveRightResultsToThoseThatSayTheSame(int ranks, boolean host) {
        local(ranks, host, DescribedCollectives::agreeOnEverything);
    }

    /** The seed decides after how many operations the members share memory, if they do at all. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    @Tag("long")
    void shouldTellInAnyOrderOfEvents(int ranks) {
        simulated(ranks, seed -> new DescribedCollectives()::beWrong);
        simulated(ranks, seed -> DescribedCollectives::agreeOnEverything);
    }

    private static void simulated(int ranks, LongFunction<RankMain> mains) {
        Seeds seeds = SimWorld.of(ranks).runSeeds(1, SEEDS, 1, mains, result -> {
            result.ends().requireSurvivorsSucceeded();
            if (result.hang().isPresent()) {
                throw new AssertionError(result.hang().get());
            }
        });
        assertThat(seeds.failures()).isEmpty();
    }
}
