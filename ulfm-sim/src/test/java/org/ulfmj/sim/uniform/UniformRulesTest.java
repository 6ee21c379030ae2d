package org.ulfmj.sim.uniform;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.sim.mutant.AgreementMutants;
import org.ulfmj.sim.mutant.Hunt;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.sim.mutant.MutantLoader;

/** Leaving out a rule that uniform agreement rests on breaks it within so many seeds. */
class UniformRulesTest {
    static Stream<Arguments> mutants() {
        return Stream.of(
                Arguments.of(UniformMutants.U2, "2..9", 100, "they differ"),
                Arguments.of(UniformMutants.QUORUM, "2..4", 1_000, "no returner differs"),
                Arguments.of(UniformMutants.MORE_THAN_HALF, "2..4", 1_000, "no returner differs"),
                Arguments.of(UniformMutants.OF_WHOM_THE_LAST_LEFT, "2..4", 4_000, "no returner differs"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mutants")
    void shouldBreakAnInvariantWhenARuleIsLeftOut(Mutant mutant, String ranks, int withinSeeds, String invariant) {
        assertThat(Hunt.hunt(new MutantLoader(mutant), "uniform", ranks, "1.." + withinSeeds))
                .isNotEmpty()
                .contains(invariant);
    }

    @Test
    void shouldNotLetTheFirstHalvesOfTwoHealthyRanksDiffer() {
        assertThat(FirstHalvesDiffer.withR9()).isEmpty();
        assertThat(new MutantLoader(AgreementMutants.R9).call(FirstHalvesDiffer.class.getName(), "withoutR9"))
                .asString()
                .startsWith("2 waits for ever: agreement 2");
    }
}
