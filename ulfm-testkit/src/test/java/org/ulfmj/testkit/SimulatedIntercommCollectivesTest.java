package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.sim.mutant.Mutant.without;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.testkit.junit.SimulatedMpi;
import org.ulfmj.testkit.junit.SimulatedRank;
import org.ulfmj.testkit.sim.SimResult;
import org.ulfmj.testkit.sim.SimWorld;

/**
 * Tests collective operations of inter-communicators in simulated time, with deaths and other faults: no survivor may
 * get a wrong value, and none may hang. Also shows that certain steps of the schedules between groups are needed:
 * without the step some seed fails.
 */
class SimulatedIntercommCollectivesTest {
    /** An upper limit for the number of frames that a rank sends in the program that a test plays. */
    private static final int FRAMES = 1000;

    private static final long SEEDS_OF_A_MUTANT = 40;
    private static final String SCHEDULES = "org.ulfmj.runtime.collective.inter.";

    private static final int STEP = Boolean.getBoolean("tests.whole") ? 1 : 6;

    @SimulatedMpi(ranks = 5, seeds = 2)
    void shouldSucceedWithoutFailures(SimulatedRank test) {
        IntercommStory.play(test.seed());
    }

    @SimulatedMpi(ranks = 5, seeds = 24, faults = "crash:rank=any(1)@frame=random(120)")
    void shouldGiveTheRightValuesOrRaiseWhenARankDies(SimulatedRank test) {
        IntercommStory.play(test.seed());
    }

    @SimulatedMpi(ranks = 5, seeds = 16, faults = "random(2)")
    void shouldGiveTheRightValuesOrRaiseWhateverFails(SimulatedRank test) {
        IntercommStory.play(test.seed());
    }

    /**
     * The leader of each group (ranks 0 and 3) and another rank (1) die, one per series of runs, at a later frame in
     * each run, until the victim has sent all its frames and survives.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void shouldGiveTheRightValuesOrRaiseWheneverARankDies(int victim) {
        int deaths = 1;
        int runs = 0;
        for (int frame = 1; deaths == 1; frame += STEP) {
            assertThat(frame).isLessThan(FRAMES);
            int seed = frame;
            SimResult result = SimWorld.of(5)
                    .seed(seed)
                    .faults("crash:rank=" + victim + "@frame=" + frame)
                    .run(() -> IntercommStory.play(seed));
            result.ends().requireSurvivorsSucceeded();
            deaths = result.deaths();
            runs++;
        }
        assertThat(runs).isGreaterThan(60 / STEP);
    }

    static Stream<NeededRule> rules() {
        return NeededRule.under(
                "",
                without("allReduce", "the other ranks of a group get the result from their leader")
                        .in(
                                SCHEDULES + "InterAllReduceSchedule",
                                "plan.within(groups, new BroadcastSchedule(receive, 0));",
                                ""),
                without("reduceScatter", "a leader scatters the other group's result, and not its own")
                        .in(
                                SCHEDULES + "InterReduceScatterSchedule",
                                "new ScatterSchedule(theirs.slice(0, length)",
                                "new ScatterSchedule(combined.slice(0, length)"),
                without("reduceScatter", "and has that result before")
                        .in(
                                SCHEDULES + "InterReduceScatterSchedule",
                                "plan.send(groups.remoteStart(), combined, 0, length);\n        plan.await();",
                                "plan.send(groups.remoteStart(), combined, 0, length);"),
                without("reduce", "the leader combines, and sends the result")
                        .in(
                                SCHEDULES + "InterReduceSchedule",
                                "plan.send(root, combined, 0, send.limit());",
                                "plan.send(root, send, 0, send.limit());"),
                without("gather", "each part has its place")
                        .in(
                                SCHEDULES + "InterGatherSchedule",
                                "receive, blocks.offset(rank), blocks.length(rank));",
                                "receive, blocks.offset(0), blocks.length(rank));"),
                without("scatter", "each rank gets its part")
                        .in(
                                SCHEDULES + "InterScatterSchedule",
                                "send, blocks.offset(rank), blocks.length(rank));",
                                "send, blocks.offset(0), blocks.length(rank));"));
    }

    @ParameterizedTest(name = "without: {0}")
    @MethodSource("rules")
    @Tag("release")
    void shouldGoWrongWithoutAStep(NeededRule rule) {
        rule.assertMissed(IntercommStory.class.getName(), SEEDS_OF_A_MUTANT, 2, 5);
    }
}
