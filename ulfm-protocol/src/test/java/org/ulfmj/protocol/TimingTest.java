package org.ulfmj.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TimingTest {
    private static final long MS = 1_000_000;

    @Test
    void shouldScaleEverythingFromTheDetectorTimeout() {
        Timing timing = Timing.fromTimeout(5_000 * MS);
        assertThat(timing.detectorTimeoutNs()).isEqualTo(5_000 * MS);
        assertThat(timing.heartbeatPeriodNs()).isEqualTo(500 * MS);
        assertThat(timing.linkBudgetNs()).isEqualTo(3_000 * MS);
        assertThat(timing.linkRtoNs()).isEqualTo(500 * MS);
    }

    @Test
    void shouldNameTheOptionThatIsNotPositive() {
        assertRefused(0, 100 * MS, 1, 2, "ulfm.fd.period (0 ms) must be positive");
        assertRefused(10, -MS, 1, 2, "ulfm.fd.timeout (-1 ms) must be positive");
        assertRefused(10, 100 * MS, -7, 2, "ulfm.link.rto (-7 ns) must be positive");
        assertRefused(10, 100 * MS, 1, 0, "ulfm.link.budget (0 ms) must be positive");
    }

    private static void assertRefused(long period, long timeout, long rto, long budget, String message) {
        assertThatThrownBy(() -> new Timing(period, timeout, rto, budget))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
