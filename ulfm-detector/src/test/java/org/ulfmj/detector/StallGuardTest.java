package org.ulfmj.detector;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StallGuardTest {
    private final StallGuard guard = new StallGuard();

    @Test
    void shouldMeasureHowMuchLaterThanAskedATickCame() {
        assertThat(guard.lateness(130, 100)).isEqualTo(30);
        assertThat(guard.lateness(105, 100)).isEqualTo(5);
        assertThat(guard.totalNs()).isEqualTo(35);
        assertThat(guard.longestNs()).isEqualTo(30);
    }

    @Test
    void shouldFindNoLatenessWhenEarlyOnTimeOrNeverAsked() {
        assertThat(guard.lateness(90, 100)).isZero();
        assertThat(guard.lateness(100, 100)).isZero();
        assertThat(guard.lateness(1_000_000, Long.MAX_VALUE)).isZero();
        assertThat(guard.totalNs()).isZero();
    }
}
