package org.ulfmj.benchmarks.reproduce.overlay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.benchmarks.reproduce.LogP;

class CollectivesAfterRevokeTest {
    private static final LogP COSTS = new LogP(1_000, 500, 500, 0);

    @Test
    void shouldTakeAsManyHopsAsRoundsWhenNothingIsRevoked() {
        assertThat(CollectivesAfterRevoke.undisturbed(100, 3, COSTS)).containsExactly(14_000, 14_000, 14_000);
    }

    @Test
    void shouldDisturbTheFirstCollectiveAndNotTheFourth() {
        double[] ns = CollectivesAfterRevoke.afterRevokeBy(42, 100, 4, COSTS);
        assertThat(ns[0]).isGreaterThan(15_000);
        assertThat(ns[3]).isEqualTo(14_000);
    }
}
