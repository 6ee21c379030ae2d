package org.ulfmj.sim.mutant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Leaving out a rule of the shipped protocols breaks an invariant within so many seeds. The rules that need a rarer
 * schedule have a witness of their own in {@code WitnessTest}.
 */
class RulesTest {
    static Stream<Arguments> mutants() {
        return Stream.of(
                Arguments.of(Mutants.R0, "agree", 2_000, "nothing is taken from the failed"),
                Arguments.of(Mutants.R4B, "walks", 20_000, "waits for ever"),
                Arguments.of(Mutants.BLOCKING_ONLY, "walks", 2_000, "waits for ever"),
                Arguments.of(Mutants.R4C, "agree", 20_000, "everybody finishes"),
                Arguments.of(Mutants.R7_TAKEOVER, "agree", 2_000, "everybody finishes"),
                Arguments.of(Mutants.REPLAY, "broadcast", 20_000, "what one heard all heard"),
                Arguments.of(Mutants.OBSERVED, "detector", 500, "nobody is suspected without cause"),
                Arguments.of(Mutants.STALL, "detector", 2_000, "nobody is suspected without cause"),
                Arguments.of(Mutants.SUBJECT_IS_TOLD, "revoke", 500, "the excluded end fenced"),
                Arguments.of(Mutants.UNKNOWN_IS_FORWARDED, "revoke", 500, "revoked for one revoked for all"),
                Arguments.of(Mutants.EARLY_IS_HELD, "shrink", 500, "every wait is answered"),
                Arguments.of(Mutants.F2, "finalize", 1_000, ""),
                Arguments.of(Mutants.F6, "finalize", 2_000, "everybody finishes"),
                Arguments.of(Mutants.L4_L5, "links", 500, "a good connection is not displaced"),
                Arguments.of(Mutants.L5_WITHDRAW, "links", 500, ""),
                Arguments.of(Mutants.L7, "links", 500, "a good connection is not displaced"),
                Arguments.of(Mutants.L8, "links", 500, ""),
                Arguments.of(Mutants.L13, "links", 500, "frames are handed over"),
                Arguments.of(Mutants.L14, "links", 5_000, "the marked are told"),
                Arguments.of(Mutants.L15, "links", 500, ""),
                Arguments.of(Mutants.L17, "links", 10_000, "nothing breaks by itself"),
                Arguments.of(Mutants.L17_DONE, "links", 500, "goodbyes arrive"));
    }

    @ParameterizedTest(name = "{0} in {1}")
    @MethodSource("mutants")
    void shouldBreakAnInvariantWhenARuleIsLeftOut(Mutant mutant, String scenario, int withinSeeds, String invariant) {
        assertThat(Hunt.hunt(new MutantLoader(mutant), scenario, "2..9", "1.." + withinSeeds))
                .isNotEmpty()
                .contains(invariant);
    }

    @Test
    void shouldRefuseAMutantWhenItsTextIsNotInTheSource() {
        Mutant outdated = Mutant.of("old", "org.ulfmj.agree.DecisionLog", "no such text", "");
        assertThatThrownBy(() -> new MutantLoader(outdated))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("mutant \"old\" wants to replace, in org.ulfmj.agree.DecisionLog, a text that is not there:"
                        + " no such text");
    }

    @Test
    void shouldRefuseAMutantWhenItsTextIsThereTwice() {
        Mutant vague = Mutant.of("vague", "org.ulfmj.agree.DecisionLog", "long sequence", "");
        assertThatThrownBy(() -> new MutantLoader(vague))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a text that is there twice: long sequence");
    }

    @Test
    void shouldFindNothingWhenAMutantChangesNothing() {
        Mutant same = Mutant.of("same", "org.ulfmj.agree.DecisionLog", "int size() {", "int size() { // mutated");
        assertThat(Hunt.hunt(new MutantLoader(same), "mix", "2..9", "1..300")).isEmpty();
    }
}
