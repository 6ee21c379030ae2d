package org.ulfmj.benchmarks.reproduce.detector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SafeTimeoutTest {
    private static final double TWENTY_YEARS_NS = 20 * 365.25 * 86_400e9;
    private final SafeTimeout world = new SafeTimeout(256_000, TWENTY_YEARS_NS, 1_000);

    @Test
    void shouldTolerateOneFailureLessThanTheLogarithm() {
        assertThat(world.tolerated()).isEqualTo(16);
        assertThat(new SafeTimeout(1_024, TWENTY_YEARS_NS, 1_000).tolerated()).isEqualTo(9);
    }

    /** The window for 16 failures: 16·17·δ, 16 messages, and 136 broadcasts of 8·17.97 messages each. */
    @Test
    void shouldGrowWithTheSquareOfTheFailures() {
        assertThat(world.windowNs(1e9)).isEqualTo(272e9 + 16e3 + 136 * 8 * 17.9658e3, within(1e3));
    }

    @Test
    void shouldBeSafeUpToTheRiskAndNotBeyond() {
        double largest = world.largestNs();
        assertThat(world.risk(largest * 0.999)).isLessThan(1e-9);
        assertThat(world.risk(largest * 1.001)).isGreaterThan(1e-9);
    }

    @Test
    void shouldGrowWithTheMeanTimeBetweenFailures() {
        SafeTimeout sturdier = new SafeTimeout(256_000, 2 * TWENTY_YEARS_NS, 1_000);
        assertThat(sturdier.largestNs()).isEqualTo(2 * world.largestNs(), within(1e6));
    }
}
