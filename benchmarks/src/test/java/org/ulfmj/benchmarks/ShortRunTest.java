package org.ulfmj.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ShortRunTest {
    @Test
    void shouldGiveTheTimePerCall() {
        assertThat(ShortRun.micros(500_000, 1)).isEqualTo(2);
        assertThat(ShortRun.micros(500_000, 3)).isEqualTo(6);
    }

    @Test
    void shouldCountAJobWithoutATurnAsOneTurn() {
        assertThat(ShortRun.micros(0, 1)).isEqualTo(200_000);
    }
}
