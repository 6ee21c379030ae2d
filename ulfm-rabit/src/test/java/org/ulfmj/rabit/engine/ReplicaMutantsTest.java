package org.ulfmj.rabit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.sim.mutant.MutantLoader;

/** Without any one rule of {@link ReplicaMutants} the recovery mode goes wrong, and a {@link ModelRun} shows it. */
@Tag("release")
class ReplicaMutantsTest {
    private static final long SEEDS = 40_000;

    static List<Mutant> mutants() {
        return ReplicaMutants.all();
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void shouldGoWrongWithoutTheRule(Mutant mutant) {
        Long first = ReplicaMutants.firstSeed(mutant);
        Object violation =
                new MutantLoader(mutant).call(ModelRun.class.getName(), "firstViolation", first, first + SEEDS);

        assertThat(violation).as(mutant.rule()).isNotNull();
    }
}
