package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.sim.mutant.Mutant.without;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests collectives through shared memory in simulated time. Stores of a rank become visible late, or early and without
 * their flag, and ranks die, stand still and are cut off at any moment: no survivor may get a wrong value, and no rank
 * may hang. Also shows that each of the rules H1 to H8 and H11 of docs/inside/host-collectives.md is needed: without
 * the rule some seed fails.
 */
class SimulatedHostCollectivesTest {
    private static final long SEEDS = Long.getLong("sim.seeds", Boolean.getBoolean("tests.whole") ? 30 : 20);
    private static final long FIRST = Long.getLong("sim.first", 1);
    private static final long SEEDS_OF_A_MUTANT = 400;
    private static final String STORY = "org.ulfmj.testkit.HostCollectivesStory";
    private static final String GROUP = "org.ulfmj.runtime.host.HostGroup";
    private static final String REDUCTION = "org.ulfmj.runtime.host.HostReduction";
    private static final String LAYOUT = "org.ulfmj.runtime.host.HostLayout";
    private static final String BARRIER = "org.ulfmj.runtime.host.HostBarrier";
    private static final String ENGINE = "org.ulfmj.runtime.host.HostCollective";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 |",
                "5 |",
                "2 | random",
                "4 | kill:rank=any(2)@op=*",
                "4 | crash:rank=any(2)@frame=random(300)",
                "3 | pause:rank=any(1)@op=*; crash:rank=any(1)@frame=random(300)",
                "5 | random(2)"
            })
    void shouldGiveSurvivorsTheRightValuesUnderAnyFailures(int ranks, String faults) {
        String wrong = HostCollectivesStory.run(FIRST, FIRST + SEEDS - 1, ranks, faults == null ? "" : faults);

        assertThat(wrong).isEmpty();
    }

    static Stream<NeededRule> rules() {
        return Stream.concat(
                NeededRule.under(
                        "",
                        without("H2", "a slot is used again when all have begun an operation behind the one it was for")
                                .in(GROUP, "requireBegun(next - SLOTS + 1);\n        int slot", "int slot"),
                        without("H3", "so is a part of the ring").in(GROUP, "requireBegun(before + 1);", ""),
                        without("H1", "the flag comes last")
                                .in(
                                        GROUP,
                                        "own.putLong(slot + HostLayout.CALL, call);",
                                        "mine.wordRelease(slot + HostLayout.FLAG, next);"
                                                + " own.putLong(slot + HostLayout.CALL, call);")
                                .and("mine.wordRelease(slot + HostLayout.FLAG, next);\n        return", "return"),
                        without("H4", "results are read when all have shown theirs")
                                .in(REDUCTION, "group.awaitAll(combined);", ""),
                        without("H5", "results lie apart from contributions")
                                .in(
                                        LAYOUT,
                                        "this.resultsAt = stagesAt + 2 * stageBytes;",
                                        "this.resultsAt = stagesAt;"),
                        without("H11", "contributions lie apart from those to the piece before")
                                .in(LAYOUT, "return stagesAt + (piece & 1) * stageBytes;", "return stagesAt;"),
                        without("H11", "so do results")
                                .in(LAYOUT, "return resultsAt + (piece & 1) * resultBytes;", "return resultsAt;"),
                        without("H6", "no rank leaves a barrier before all have entered")
                                .in(BARRIER, "group.awaitAll(operation);", "")),
                NeededRule.under(
                        "kill:rank=any(1)@op=*",
                        without("H7", "a wait ends when a member fails")
                                .in(
                                        ENGINE,
                                        "return ScheduleRuns.verdict(communicator) != ErrorClass.SUCCESS || group.isThere();",
                                        "return group.isThere();"),
                        without("H8", "what a wait that ended so would have given is not read")
                                .in(ENGINE, "        }\n        requireNoFault();\n", "        }\n")));
    }

    @ParameterizedTest(name = "without: {0}")
    @MethodSource("rules")
    @Tag("release")
    void shouldGoWrongWithoutARule(NeededRule rule) {
        rule.assertMissed(STORY, SEEDS_OF_A_MUTANT, 10, 4, 3, 5);
    }
}
