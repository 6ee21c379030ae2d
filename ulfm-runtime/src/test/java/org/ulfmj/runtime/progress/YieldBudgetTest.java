package org.ulfmj.runtime.progress;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class YieldBudgetTest {
    private static final long SHORT_NS = 200_000;
    private static final long LONG_NS = 10_000_000;

    @Test
    void shouldStayShortWhenRanksHaveCoresOfTheirOwn() {
        YieldBudget budget = new YieldBudget(false);
        wait(budget, 10_000, 100_000);
        assertThat(budget.budgetNs(0)).isEqualTo(SHORT_NS);
    }

    @Test
    void shouldBecomeLongWhenRanksShareCoresAndOneShortWaitFollowsTheOther() {
        YieldBudget budget = new YieldBudget(true);
        wait(budget, 999, 300_000);
        assertThat(budget.budgetNs(0)).isEqualTo(SHORT_NS);
        wait(budget, 1, 300_000);
        assertThat(budget.budgetNs(0)).isEqualTo(LONG_NS);
    }

    @Test
    void shouldStayLongWhenAWaitIsLongNowAndThen() {
        YieldBudget budget = new YieldBudget(true);
        wait(budget, 2_000, 100_000);
        for (int i = 0; i < 20; i++) {
            wait(budget, 1, 5_000_000);
            wait(budget, 100, 100_000);
        }
        assertThat(budget.budgetNs(0)).isEqualTo(LONG_NS);
    }

    @Test
    void shouldStayShortWhenOthersComputeBetweenShortWaits() {
        YieldBudget budget = new YieldBudget(true);
        for (int i = 0; i < 1_000; i++) {
            wait(budget, 1, 2_000_000);
            wait(budget, 5, 100_000);
        }
        assertThat(budget.budgetNs(0)).isEqualTo(SHORT_NS);
    }

    @Test
    void shouldBecomeShortAtOnceWhenAWaitIsMuchLonger() {
        YieldBudget budget = new YieldBudget(true);
        wait(budget, 2_000, 100_000);
        wait(budget, 1, 50_000_000);
        assertThat(budget.budgetNs(0)).isEqualTo(SHORT_NS);
    }

    @Test
    void shouldNotYieldForAWhileWhenAYieldTookATurn() {
        YieldBudget budget = new YieldBudget(true);
        assertThat(budget.isDear(999_999, 0)).isFalse();
        assertThat(budget.budgetNs(0)).isEqualTo(SHORT_NS);
        assertThat(budget.isDear(1_000_000, 0)).isTrue();
        assertThat(budget.budgetNs(1_999_999)).isZero();
        assertThat(budget.budgetNs(2_000_000)).isEqualTo(SHORT_NS);
    }

    @Test
    void shouldPollInPlaceOfYieldsForAWhileWhenAYieldBesideACompilerTookATurn() {
        YieldBudget budget = new YieldBudget(false);
        assertThat(budget.isDear(499_999, 0)).isFalse();
        assertThat(budget.isForPolls()).isFalse();
        assertThat(budget.isDear(500_000, 0)).isTrue();
        assertThat(budget.budgetNs(99_999_999)).isEqualTo(SHORT_NS);
        assertThat(budget.isForPolls()).isTrue();
        assertThat(budget.budgetNs(100_000_000)).isEqualTo(SHORT_NS);
        assertThat(budget.isForPolls()).isFalse();
    }

    @Test
    void shouldAbstainTwiceAsLongWhenTheNextYieldTakesATurnTooAndLessAfterCheapOnes() {
        YieldBudget budget = new YieldBudget(true);
        budget.isDear(3_000_000, 0);
        budget.isDear(3_000_000, 0);
        assertThat(budget.budgetNs(3_999_999)).isZero();
        assertThat(budget.budgetNs(4_000_000)).isEqualTo(SHORT_NS);
        wait(budget, 64, 10_000);
        budget.isDear(3_000_000, 0);
        assertThat(budget.budgetNs(4_000_000)).isEqualTo(SHORT_NS);
        for (int i = 0; i < 20; i++) {
            budget.isDear(3_000_000, 0);
        }
        assertThat(budget.budgetNs(99_999_999)).isZero();
        assertThat(budget.budgetNs(100_000_000)).isEqualTo(SHORT_NS);
    }

    private static void wait(YieldBudget budget, int times, long waitedNs) {
        for (int i = 0; i < times; i++) {
            budget.onWaited(waitedNs);
        }
    }
}
