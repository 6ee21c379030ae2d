package org.ulfmj.sim.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.sim.mutant.MutantLoader;
import org.ulfmj.sim.mutant.Mutants;

/** Every rule of the agreement has a small world that goes well with it and wrong without it. */
class WitnessTest {
    static Stream<Arguments> shipped() {
        return Stream.of(
                Arguments.of("ghostDecision", Mutants.R0, "1 holds"),
                Arguments.of("forgedValueListsItsReceiver", Mutants.R3A2, "mark itself failed"),
                Arguments.of("forgottenRequest", Mutants.R4B, "1 waits for ever"),
                Arguments.of("decisionOfTheDeadRoot", Mutants.R7_TAKEOVER, "1 waits for ever"),
                Arguments.of("inheritedFromOneThatWasAsked", Mutants.R7_REPOLL, "1 waits for ever"),
                Arguments.of("decidedWithOneThatStillObeyedTheExcluded", Mutants.R9, "2 holds"),
                Arguments.of("newRoundWithOneThatDies", Mutants.ASKED_IS_TO, "1 waits for ever"),
                Arguments.of("baseOfOverlappingCalls", Mutants.BLOCKING_ONLY, "0 waits for ever"));
    }

    static Stream<Arguments> beforeR9() {
        return Stream.of(
                Arguments.of("rootListsItself", Mutants.R3A2, "mark itself failed"),
                Arguments.of("valueDroppedByAWaitingRank", Mutants.R4C, "1 waits for ever"),
                Arguments.of("forgottenContributor", Mutants.R6_GATHERED, "3 waits for ever"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("shipped")
    void shouldGoWellWithTheRuleAndWrongWithoutIt(String witness, Mutant without, String wrong) {
        assertThat(Witnesses.run(witness)).isEmpty();
        assertThat(in(without, witness)).contains(wrong);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("beforeR9")
    void shouldGoWellWithTheRuleAndWrongWithoutItWhenValuesTeachNothing(String witness, Mutant without, String wrong) {
        assertThat(in(Mutants.beforeR9(), witness)).isEmpty();
        assertThat(in(Mutants.beforeR9().and(without), witness)).contains(wrong);
    }

    @Test
    void shouldDecideAlikeWhenASecondRoundIsNeeded() {
        assertThat(Witnesses.run("secondRound")).isEmpty();
    }

    private static String in(Mutant mutant, String witness) {
        return (String) new MutantLoader(mutant).call(Witnesses.class.getName(), "run", witness);
    }
}
