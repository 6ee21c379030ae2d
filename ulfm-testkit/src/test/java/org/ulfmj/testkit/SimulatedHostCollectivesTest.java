package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.sim.mutant.MutantLoader;

/**
 * Collectives through shared memory in simulated time, where what a rank stores is seen late, or early without its
 * flag, and ranks die, stand still and are cut off at any moment: no survivor ever has a wrong value, and nobody hangs.
 * And each rule of the protocol (docs/inside/host-collectives.md) is needed: without it some seed goes wrong.
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
    void shouldGiveSurvivorsTheRightValuesWhoeverFails(int ranks, String faults) {
        String wrong = HostCollectivesStory.run(FIRST, FIRST + SEEDS - 1, ranks, faults == null ? "" : faults);

        assertThat(wrong).isEmpty();
    }

    static Stream<Arguments> rules() {
        return Stream.of(
                Arguments.of(
                        "a slot is used again when all have begun an operation behind the one it was for",
                        Mutant.of("H2", GROUP, "requireBegun(next - SLOTS + 1);\n        int slot", "int slot"),
                        ""),
                Arguments.of("so is a part of the ring", Mutant.of("H3", GROUP, "requireBegun(before + 1);", ""), ""),
                Arguments.of(
                        "the flag comes last",
                        Mutant.of(
                                        "H1",
                                        GROUP,
                                        "own.putLong(slot + HostLayout.CALL, call);",
                                        "mine.wordRelease(slot + HostLayout.FLAG, next);"
                                                + " own.putLong(slot + HostLayout.CALL, call);")
                                .and("mine.wordRelease(slot + HostLayout.FLAG, next);\n        wake", "wake"),
                        ""),
                Arguments.of(
                        "results are read when all have shown theirs",
                        Mutant.of("H4", REDUCTION, "group.awaitAll(combined);", ""),
                        ""),
                Arguments.of(
                        "results lie apart from contributions",
                        Mutant.of(
                                "H5",
                                LAYOUT,
                                "this.resultsAt = stagesAt + 2 * stageBytes;",
                                "this.resultsAt = stagesAt;"),
                        ""),
                Arguments.of(
                        "contributions lie apart from those to the piece before",
                        Mutant.of("H11", LAYOUT, "return stagesAt + (piece & 1) * stageBytes;", "return stagesAt;"),
                        ""),
                Arguments.of(
                        "so do results",
                        Mutant.of("H11", LAYOUT, "return resultsAt + (piece & 1) * resultBytes;", "return resultsAt;"),
                        ""),
                Arguments.of(
                        "nobody leaves a barrier before all have entered",
                        Mutant.of("H6", BARRIER, "group.awaitAll(operation);", ""),
                        ""),
                Arguments.of(
                        "a wait ends when a member fails",
                        Mutant.of(
                                "H7",
                                ENGINE,
                                "return ScheduleRuns.verdict(communicator) != ErrorClass.SUCCESS || group.isThere();",
                                "return group.isThere();"),
                        "kill:rank=any(1)@op=*"),
                Arguments.of(
                        "what a wait that ended so would have given is not read",
                        Mutant.of(
                                "H8",
                                ENGINE,
                                "        }\n        requireNoFault();\n    }\n\n    /** A failure first",
                                "        }\n    }\n\n    /** A failure first"),
                        "kill:rank=any(1)@op=*"));
    }

    @ParameterizedTest(name = "without: {0}")
    @MethodSource("rules")
    @Tag("release")
    void shouldGoWrongWithoutARule(String rule, Mutant mutant, String faults) {
        MutantLoader world = new MutantLoader(mutant);
        String wrong = "";
        for (int ranks : new int[] {4, 3, 5}) {
            for (long seed = 1; seed <= SEEDS_OF_A_MUTANT && wrong.isEmpty(); seed += 10) {
                wrong = (String) world.call(STORY, "run", seed, seed + 9, ranks, faults);
            }
        }
        System.out.println(
                "without \"" + rule + "\": " + wrong.lines().findFirst().orElse("nothing"));
        assertThat(wrong).isNotEmpty();
    }
}
