package org.ulfmj.benchmarks.reproduce.detector;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.benchmarks.reproduce.LogP;
import org.ulfmj.protocol.Timing;
import org.ulfmj.sim.SeededRandom;

class DetectionRunTest {
    private static final Timing TIMING = Timing.fromTimeout(1_000_000_000);
    private static final LogP COSTS = new LogP(2_000, 500, 500, 0);

    @Test
    void shouldKnowOfOneDeathAboutOneTimeoutLater() {
        Detection detection = run(1, 5);
        assertThat(detection.knownByAllNs()).isBetween(0.9e9, 1.02e9);
        assertThat(detection.obituaries()).isGreaterThanOrEqualTo(30);
    }

    @Test
    void shouldKnowOfNeighboursThatDieTogetherAfterTwo() {
        assertThat(run(1, 5, 6, 7, 8).knownByAllNs()).isBetween(1.9e9, 2.03e9);
    }

    @Test
    void shouldTakeTwoMoreForEachWithoutTheProbes() {
        double ns = new PlainRing().knownByAllNs(32, new int[] {5, 6, 7}, TIMING, COSTS, 1);
        assertThat(ns).isBetween(4.8e9, 5.2e9);
    }

    @Test
    void shouldMeasureTheSameForTheSameSeed() {
        assertThat(run(3, 1, 9)).isEqualTo(run(3, 1, 9)).isNotEqualTo(run(4, 1, 9));
    }

    private static Detection run(long seed, int... dying) {
        return DetectionRun.of(32, dying, TIMING, COSTS, new SeededRandom(seed));
    }
}
