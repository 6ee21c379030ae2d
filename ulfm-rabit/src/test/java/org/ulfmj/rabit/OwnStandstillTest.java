package org.ulfmj.rabit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Shows what a rank knows about its own process without a message to another rank. */
class OwnStandstillTest {
    private static final long PAUSE_NS = 500_000_000;

    @Test
    void shouldNotCountTheTimeInWhichTheProcessStoodStill() {
        assertThat(Deadlines.stall(PAUSE_NS, PAUSE_NS)).isZero();
        assertThat(Deadlines.stall(2 * PAUSE_NS, PAUSE_NS)).isZero();
        assertThat(Deadlines.stall(20 * PAUSE_NS, PAUSE_NS)).isEqualTo(18 * PAUSE_NS);
    }
}
