package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ulfmj.sim.mutant.Mutant.without;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.testkit.sim.SimResult;
import org.ulfmj.testkit.sim.SimWorld;

/**
 * Tests collectives and agreements of ranks on several hosts in simulated time, with deaths and other faults: no
 * survivor may get a wrong value, and none may hang. Also shows that certain steps of the schedules are needed: without
 * the step some seed fails.
 */
class SimulatedHostsTest {
    private static final long SEEDS = Long.getLong("sim.seeds", Boolean.getBoolean("tests.whole") ? 60 : 4);
    private static final long FIRST = Long.getLong("sim.first", 1);
    private static final int STEP = Boolean.getBoolean("tests.whole") ? 5 : 60;
    /** An upper limit for the number of frames that a rank sends in the program that a test plays. */
    private static final int FRAMES = 3000;

    private static final long SEEDS_OF_A_MUTANT = 60;
    private static final String SCHEDULES = "org.ulfmj.runtime.collective.hosts.";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "3 |",
                "6 |",
                "9 |",
                "6 | kill:rank=any(2)@op=*",
                "7 | crash:rank=any(2)@frame=random(300)",
                "4 | random",
                "6 | random(2)"
            })
    void shouldGiveTheRightValuesOrRaiseWhateverFails(int ranks, String faults) {
        String wrong = HostsStory.run(FIRST, FIRST + SEEDS - 1, ranks, faults == null ? "" : faults);

        assertThat(wrong).isEmpty();
    }

    /**
     * The hosts have the ranks {0, 4}, {1, 2} and {3, 5}. In each run the victim, which is a leader or another rank,
     * dies at a later frame, until it has sent all its frames and survives.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 5})
    void shouldGiveTheRightValuesOrRaiseWheneverARankDies(int victim) {
        int deaths = 1;
        int runs = 0;
        for (int frame = 1; deaths == 1; frame += STEP) {
            assertThat(frame).isLessThan(FRAMES);
            int seed = frame;
            SimResult result = SimWorld.of(6)
                    .hosts(0, 1, 1, 2, 0, 2)
                    .seed(seed)
                    .faults("crash:rank=" + victim + "@frame=" + frame)
                    .run(() -> HostsStory.play(1));
            result.ends().requireSurvivorsSucceeded();
            deaths = result.deaths();
            runs++;
        }
        assertThat(runs * STEP).isGreaterThan(40);
    }

    @Test
    void shouldRefuseHostsOfOtherRanks() {
        assertThatThrownBy(() -> SimWorld.of(3).hosts(0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("3 ranks and the hosts of 2");
    }

    static Stream<NeededRule> rules() {
        return NeededRule.under(
                "",
                without("allReduce", "the leaders combine what their hosts have")
                        .in(
                                SCHEDULES + "HostsAllReduceSchedule",
                                "plan.within(hosts.leaders(), host, new AllReduceSchedule(receive, receive, elementBytes, reduction));",
                                ""),
                without("allReduce", "a host's other ranks get the result from their leader")
                        .in(
                                SCHEDULES + "HostsAllReduceSchedule",
                                "plan.within(ranks, place, new BroadcastSchedule(receive, 0));",
                                ""),
                without("reduce", "the root leads its host")
                        .in("org.ulfmj.runtime.member.HostedRanks", "withRoot[hostOf[root]] = root;", ""),
                without("gather", "a part of another host goes to its place")
                        .in(
                                SCHEDULES + "HostsGatherSchedule",
                                "receive, blocks.offset(ranks[place]), part);",
                                "receive, blocks.offset(ranks[0]), part);"),
                without("allGather", "a part goes to its place")
                        .in(
                                SCHEDULES + "HostsAllGatherSchedule",
                                "plan.copy(all, from, receive, blocks.offset(each), blocks.length(each));",
                                "plan.copy(all, 0, receive, blocks.offset(each), blocks.length(each));"));
    }

    @ParameterizedTest(name = "without: {0}")
    @MethodSource("rules")
    @Tag("release")
    void shouldGoWrongWithoutAStep(NeededRule rule) {
        rule.assertMissed(HostsStory.class.getName(), SEEDS_OF_A_MUTANT, 2, 6);
    }
}
