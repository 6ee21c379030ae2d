package org.ulfmj.rendezvous.replacement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RestartBudgetTest {
    private static final long MS = 1_000_000;

    @Test
    void shouldCountEachRankByItself() {
        RestartBudget budget = new RestartBudget(2, 1);
        budget.take(0, 0);
        assertThat(budget.isUsedUp(0)).isTrue();
        assertThat(budget.isUsedUp(1)).isFalse();
        assertThat(budget.used(0)).isEqualTo(1);
        assertThatThrownBy(() -> budget.take(0, 0)).hasMessage("rank 0 has been started again 1 times of 1");
    }

    @Test
    void shouldStartAtOnceTheFirstTimeAndWaitTwiceAsLongEachTimeForOneThatDiesAtOnce() {
        RestartBudget budget = new RestartBudget(1, 5);
        long nowNs = 7 * MS;
        assertThat(budget.take(0, nowNs)).isEqualTo(7 * MS);
        assertThat(budget.take(0, nowNs)).isEqualTo(507 * MS);
        assertThat(budget.take(0, 507 * MS)).isEqualTo(1_507 * MS);
        assertThat(budget.take(0, 1_600 * MS)).isEqualTo(3_507 * MS);
    }

    @Test
    void shouldStartAtOnceWhatLivedLongerThanTheGap() {
        RestartBudget budget = new RestartBudget(1, 5);
        budget.take(0, 0);
        assertThat(budget.take(0, 500 * MS)).isEqualTo(500 * MS);
        assertThat(budget.take(0, 9_000 * MS)).isEqualTo(9_000 * MS);
    }

    @Test
    void shouldNeverWaitLongerThanHalfAMinute() {
        long[] gapsMs = IntStream.of(2, 3, 7, 8, 9, 1_000_000)
                .mapToLong(RestartBudget::gapNs)
                .map(ns -> ns / MS)
                .toArray();
        assertThat(gapsMs).containsExactly(500, 1_000, 16_000, 30_000, 30_000, 30_000);
    }

    @Test
    void shouldTakeTheClockAtAnyValue() {
        RestartBudget budget = new RestartBudget(1, 2);
        long nowNs = -5_000_000_000L;
        assertThat(budget.take(0, nowNs)).isEqualTo(nowNs);
        assertThat(budget.take(0, nowNs)).isEqualTo(nowNs + 500 * MS);
    }
}
