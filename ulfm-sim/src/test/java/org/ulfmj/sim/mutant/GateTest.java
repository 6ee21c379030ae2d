package org.ulfmj.sim.mutant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Leaving out a rule of the shipped protocols breaks something, within so many schedules. */
class GateTest {
    static List<Trial> own() {
        return Gate.own();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("own")
    void shouldCatchTheMutantWhenARuleIsLeftOut(Trial trial) {
        Hunt.Catch caught = Hunt.hunt(trial);
        System.out.printf("without %s: caught by %s %,d%n", trial, trial.where(), caught.tried());
        assertThat(Gate.isPassed(trial, caught))
                .as(() -> trial + " was to be caught by " + trial.broken() + ": " + caught)
                .isTrue();
    }

    @Test
    void shouldHaveAMutantForEveryRule() {
        assertThat(Gate.own()).hasSizeGreaterThanOrEqualTo(40);
    }

    @Test
    void shouldRefuseAMutantWhenItsTextIsNotInTheSource() {
        Mutant outdated = Mutant.of("old", "", "org.ulfmj.agree.DecisionLog", "no such text", "");
        assertThatThrownBy(() -> new MutantLoader(outdated))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("mutant \"old\" wants to replace, in org.ulfmj.agree.DecisionLog, a text that is not there:"
                        + " no such text");
    }

    @Test
    void shouldRefuseAMutantWhenItsTextIsThereTwice() {
        Mutant vague = Mutant.of("vague", "", "org.ulfmj.agree.DecisionLog", "long sequence", "");
        assertThatThrownBy(() -> new MutantLoader(vague))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a text that is there twice: long sequence");
    }

    @Test
    void shouldFindNothingWhenAMutantChangesNothing() {
        Mutant same = Mutant.of("same", "", "org.ulfmj.agree.DecisionLog", "int size() {", "int size() { // mutated");
        assertThat(Hunt.hunt(Trial.seeds(same, "mix", 300, "")).isCaught()).isFalse();
    }
}
