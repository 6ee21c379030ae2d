package org.ulfmj.benchmarks.reproduce.overlay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.ulfmj.benchmarks.reproduce.LogP;
import org.ulfmj.detector.BinomialGraph;

class RevokeWaveTest {
    private static final LogP COSTS = new LogP(5_000, 700, 700, 0);

    @Test
    void shouldTakeOneHopBetweenTwo() {
        assertThat(RevokeWave.begunBy(1, 2, new ShippedRevocation(2), COSTS).lastNs())
                .isEqualTo(6_400);
    }

    /**
     * A {@link RevokeWave} does not deliver copies that come no sooner than one sent before, and a {@link RevokeEcho}
     * delivers all. In both, the last rank must hear of the revocation at the same time, and the messages must be as
     * many.
     */
    @Test
    void shouldBeAsFastAsWithAllCopiesHandedOver() {
        for (int size = 2; size <= 200; size += 11) {
            ShippedRevocation members = new ShippedRevocation(size);
            RevokeWave wave = RevokeWave.begunBy(size / 3, size, members, COSTS);
            RevokeEcho echo = RevokeEcho.begunBy(size / 3, size, members, COSTS);
            assertThat(wave.lastNs()).isEqualTo(echo.lastNs(), within(1e-6));
            assertThat(wave.messages()).isEqualTo(echo.messages());
        }
    }

    @Test
    void shouldSendToEveryNeighbourOnce() {
        RevokeWave wave = RevokeWave.begunBy(0, 100, new ShippedRevocation(100), COSTS);
        assertThat(wave.messages()).isEqualTo(100L * BinomialGraph.neighbours(0, 100).length);
    }

    @Test
    void shouldTellTheSameNeighboursInTheOrderForComparison() {
        for (int size = 2; size <= 40; size++) {
            for (int rank = 0; rank < size; rank++) {
                assertThat(new NearestFirst(size).onFirst(rank, 0))
                        .containsExactlyInAnyOrder(BinomialGraph.neighbours(rank, size));
            }
        }
    }
}
