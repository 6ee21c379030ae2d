package org.ulfmj.runtime.error;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.SlotRuns;

class FailureViewTest {
    @Test
    void shouldAcknowledgePrefixesOfTheOrderOfDiscovery() {
        FailureView view = new FailureView(SlotRuns.of(10, 11, 12, 13, 14));
        assertThat(view.wildcardsOpen()).isTrue();
        view.add(4);
        view.add(2);
        assertThat(view.inOrder()).containsExactly(4, 2);
        assertThat(view.acknowledge(0)).isZero();
        assertThat(view.wildcardsOpen()).isFalse();
        assertThat(view.acknowledge(1)).isEqualTo(1);
        assertThat(view.wildcardsOpen()).isFalse();
        assertThat(view.acknowledgedSlots().toArray()).containsExactly(14);
        assertThat(view.acknowledge(5)).isEqualTo(2);
        assertThat(view.wildcardsOpen()).isTrue();
        view.add(1);
        assertThat(view.inOrder()).containsExactly(4, 2, 1);
        assertThat(view.acknowledge(0)).isEqualTo(2);
        assertThat(view.wildcardsOpen()).isFalse();
        assertThat(view.acknowledgedSlots().toArray()).containsExactly(12, 14);
    }

    /**
     * Shows that a receive from any source is held up only by the failure of a possible sender. Members 0 and 1, the
     * own group of an inter-communicator, cannot be senders.
     */
    @Test
    void shouldHoldUpWildcardsOnlyUntilThePossibleSendersAreAcknowledged() {
        FailureView view = new FailureView(SlotRuns.of(10, 11, 12, 13, 14), 0, 2);

        view.add(1);
        assertThat(view.wildcardsOpen()).isTrue();
        view.add(2);
        view.add(0);
        assertThat(view.wildcardsOpen()).isFalse();
        view.acknowledge(1);
        assertThat(view.wildcardsOpen()).isFalse();
        view.acknowledge(2);
        assertThat(view.wildcardsOpen()).isTrue();
        view.add(4);
        assertThat(view.wildcardsOpen()).isFalse();
    }
}
