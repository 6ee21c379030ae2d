package org.ulfmj.rabit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * Programs of a few ranks, killed at any step: what the model checker proved of the rules, of these classes. One value
 * at all, returned before a death or after; no end but the program's; no hole while a keeper lives; no rank below a
 * version that any rank returned from.
 */
class ReplicaModelTest {
    private static final long SEEDS =
            Long.getLong("rabit.model.seeds", Boolean.getBoolean("tests.whole") ? 1_500 : 1_000);

    @Test
    void shouldKeepOneValueAndComeToAnEndUnderAnyDeaths() {
        assertThat(ModelRun.firstViolation(0L, SEEDS)).isNull();
    }
}
