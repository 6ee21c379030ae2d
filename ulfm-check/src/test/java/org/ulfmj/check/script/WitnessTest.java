package org.ulfmj.check.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.check.mutant.AgreementMutants;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.sim.mutant.MutantLoader;

/**
 * Nine scripted worlds of {@link Witnesses} go well with all rules. Three others go well with the rules before R9, and
 * wrong without one rule more.
 */
class WitnessTest {
    static Stream<Arguments> beforeR9() {
        return Stream.of(
                Arguments.of("rootListsItself", AgreementMutants.R3A2, "mark itself failed"),
                Arguments.of("valueDroppedByAWaitingRank", AgreementMutants.R4C, "1 waits for ever"),
                Arguments.of("forgottenContributor", AgreementMutants.R6_GATHERED, "3 waits for ever"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ghostDecision",
                "forgedValueListsItsReceiver",
                "forgottenRequest",
                "decisionOfTheDeadRoot",
                "inheritedFromOneThatWasAsked",
                "decidedWithOneThatStillObeyedTheExcluded",
                "newRoundWithOneThatDies",
                "baseOfOverlappingCalls"
            })
    void shouldGoWellWithTheRule(String witness) {
        assertThat(Witnesses.run(witness)).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("beforeR9")
    void shouldGoWellWithTheRuleAndWrongWithoutItWhenValuesTeachNothing(String witness, Mutant without, String wrong) {
        assertThat(in(AgreementMutants.beforeR9(), witness)).isEmpty();
        assertThat(in(AgreementMutants.beforeR9().and(without), witness)).contains(wrong);
    }

    @Test
    void shouldDecideAlikeWhenASecondRoundIsNeeded() {
        assertThat(Witnesses.run("secondRound")).isEmpty();
    }

    private static String in(Mutant mutant, String witness) {
        return (String) new MutantLoader(mutant).call(Witnesses.class.getName(), "run", witness);
    }
}
