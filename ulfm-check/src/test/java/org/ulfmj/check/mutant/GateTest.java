package org.ulfmj.check.mutant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.sim.mutant.MutantLoader;

/**
 * Leaving out any one of the rules for which there is a trial breaks an expected invariant, within the number of
 * schedules or states that the trial gives. Also tested: how many trials there are, which trials and mutants are
 * refused, and which catches count.
 */
@Tag("long")
class GateTest {
    private static final String LOG = "org.ulfmj.agree.record.DecisionLog";

    static List<Trial> trials() {
        return Gate.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("trials")
    void shouldCatchTheMutantWhenARuleIsLeftOut(Trial trial) {
        Hunt.Catch caught = Hunt.hunt(trial);
        System.out.printf("without %s: caught by %s %,d%n", trial, trial.where(), caught.tried());
        assertThat(Gate.isPassed(trial, caught))
                .as(() -> trial + " was to be caught by " + trial.broken() + ": " + caught)
                .isTrue();
    }

    @Test
    void shouldHaveAtLeastFortyMutants() {
        assertThat(Gate.all()).hasSizeGreaterThanOrEqualTo(40);
    }

    @Test
    void shouldRefuseATrialThatAnyExceptionWouldPass() {
        Mutant any = Mutant.of("any", LOG, "", "");
        assertThatThrownBy(() -> Trial.seeds(any, "mix", 300, ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a trial wants to know what its mutant breaks: of mutant \"any\" it is []");
    }

    @Test
    void shouldNotPassACatchByAnythingElseThanWhatWasToBreak() {
        Mutant any = Mutant.of("any", LOG, "", "");
        Trial trial = Trial.seeds(any, "mix", 300, "every rank finishes", "every wait is answered");
        assertThat(Gate.isPassed(trial, new Hunt.Catch(1, "every wait is answered: process 1")))
                .isTrue();
        assertThat(Gate.isPassed(trial, new Hunt.Catch(1, "a step threw java.lang.NullPointerException")))
                .isFalse();
        assertThat(Gate.isPassed(trial, new Hunt.Catch(301, "every rank finishes: process 1")))
                .isFalse();
    }

    @Test
    void shouldRefuseAMutantWhenItsTextIsNotInTheSource() {
        Mutant outdated = Mutant.of("old", LOG, "no such text", "");
        assertThatThrownBy(() -> new MutantLoader(outdated))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "mutant \"old\" wants to replace, in org.ulfmj.agree.record.DecisionLog, a text that is not there:"
                                + " no such text");
    }

    @Test
    void shouldRefuseAMutantWhenItsTextIsThereTwice() {
        Mutant vague = Mutant.of("vague", LOG, "long sequence", "");
        assertThatThrownBy(() -> new MutantLoader(vague))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a text that is there twice: long sequence");
    }

    @Test
    void shouldFindNothingWhenAMutantChangesNothing() {
        Mutant same = Mutant.of("same", LOG, "int size() {", "int size() { // mutated");
        assertThat(Hunt.hunt(Trial.seeds(same, "mix", 300, "every rank finishes"))
                        .isCaught())
                .isFalse();
    }
}
