package org.ulfmj.rabit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * Tests how {@code Deadlines} finds the time in which its own process stood still: it is the time between two looks
 * less twice the planned pause, and at least 0.
 */
class OwnStandstillTest {
    private static final long PAUSE_NS = 500_000_000;

    @Test
    void shouldNotCountTheTimeInWhichTheProcessStoodStill() {
        assertThat(Deadlines.stall(PAUSE_NS, PAUSE_NS)).isZero();
        assertThat(Deadlines.stall(2 * PAUSE_NS, PAUSE_NS)).isZero();
        assertThat(Deadlines.stall(20 * PAUSE_NS, PAUSE_NS)).isEqualTo(18 * PAUSE_NS);
    }
}
