package org.ulfmj.rabit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * Runs programs of a few ranks in a {@link ModelWorld}, in which ranks are killed at any step. Each version has one
 * model at all ranks, whether they returned from its checkpoint before a death or after. No program ends with an error,
 * unless more ranks may die than a local model has copies. No result is lost where fewer ranks may die than keep each
 * result. No rank goes back below a version from which any rank has returned.
 */
class ReplicaModelTest {
    private static final long SEEDS =
            Long.getLong("rabit.model.seeds", Boolean.getBoolean("tests.whole") ? 1_500 : 1_000);

    @Test
    void shouldKeepOneValueAndComeToAnEndUnderAnyDeaths() {
        assertThat(ModelRun.firstViolation(0L, SEEDS)).isNull();
    }
}
