package org.ulfmj.rendezvous.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.sim.mutant.Gate;
import org.ulfmj.sim.mutant.Hunt;
import org.ulfmj.sim.mutant.Trial;

/** Leaving out a rule of the rendezvous breaks something, within so many seeds. */
@Tag("long")
class RendezvousMutantsTest {
    static List<Trial> mutants() {
        return Gate.ofRendezvous();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mutants")
    void shouldCatchTheMutantWhenARuleIsLeftOut(Trial trial) {
        Hunt.Catch caught = Hunt.hunt(trial);
        assertThat(Gate.isPassed(trial, caught))
                .as(() -> trial + " was to be caught by \"" + trial.broken() + "\": " + caught)
                .isTrue();
    }
}
