package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.sim.mutant.Mutant.without;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests topologies in simulated time: whichever rank dies, between two messages or in a call, the survivors make the
 * topologies anew among themselves and finish, and no value is wrong.
 */
class SimulatedTopologiesTest {
    private static final long SEEDS = Long.getLong("sim.seeds", 12);
    private static final long FIRST = Long.getLong("sim.first", 1);
    /** The highest number of the frame before which a rank dies in the test with a death before each message. */
    private static final int FRAMES = 45;

    private static final long SEEDS_OF_A_MUTANT = 4_000;

    private static final String STORY = "org.ulfmj.testkit.TopologiesStory";
    private static final String CREATION = "org.ulfmj.runtime.CommunicatorCreation";
    private static final String NEIGHBORHOOD = "org.ulfmj.runtime.collective.Neighborhood";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 |",
                "2 |",
                "6 |",
                "6 | kill:rank=any(2)@op=*",
                "5 | crash:rank=any(2)@frame=random(60)",
                "4 | pause:rank=any(1)@op=*; crash:rank=any(1)@frame=random(60)",
                "4 | suspect:rank=any(1)@t=random",
                "5 | random(2)"
            })
    void shouldGoOnWithTopologiesOfTheSurvivors(int ranks, String faults) {
        String plan = faults == null ? "" : faults;
        assertThat(TopologiesStory.run(FIRST, FIRST + SEEDS - 1, ranks, plan)).isEmpty();
        assertThat(TopologiesStory.runWithSlices(FIRST, FIRST + SEEDS - 1, ranks, plan))
                .isEmpty();
    }

    /** The rank dies before its first frame in the first run, before its second frame in the second, and so on. */
    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void shouldGetOverADeathBeforeEachMessage(int rank) {
        for (int frame = 1; frame <= FRAMES; frame++) {
            String fault = "crash:rank=" + rank + "@frame=" + frame;
            assertThat(TopologiesStory.run(FIRST, FIRST, 4, fault)).as(fault).isEmpty();
        }
    }

    static Stream<NeededRule> rules() {
        return Stream.concat(
                NeededRule.under(
                        "crash:rank=any(2)@frame=random(30)",
                        without("a rank that could not tell its edges gives the graph up")
                                .in(CREATION, "abort(id, factory);", "")),
                NeededRule.under(
                        "",
                        without("what is sent upwards is sent first")
                                .in(NEIGHBORHOOD, "isGrid ? turn ^ 1 : turn", "turn")));
    }

    @Tag("long")
    @ParameterizedTest(name = "without: {0}")
    @MethodSource("rules")
    void shouldGoWrongWithoutARule(NeededRule rule) {
        rule.assertMissed(STORY, SEEDS_OF_A_MUTANT, 20, 4, 5);
    }
}
