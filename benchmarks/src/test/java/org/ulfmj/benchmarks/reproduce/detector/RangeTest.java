package org.ulfmj.benchmarks.reproduce.detector;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RangeTest {
    private final Range range = new Range();

    @Test
    void shouldBeWithinNothingWithoutASample() {
        assertThat(range.isEmpty()).isTrue();
        assertThat(range.isWithin(0, 10)).isFalse();
        assertThat(range).hasToString("none drawn, not judged");
    }

    @Test
    void shouldBeWithinWhatHoldsAllSamples() {
        range.add(1.5);
        range.add(1);

        assertThat(range.isEmpty()).isFalse();
        assertThat(range.isWithin(1, 1.5)).isTrue();
        assertThat(range.isWithin(1.1, 1.5)).isFalse();
        assertThat(range.isWithin(1, 1.4)).isFalse();
        assertThat(range).hasToString("1.000 to 1.500 δ (2)");
    }
}
