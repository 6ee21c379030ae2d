package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class YieldBudgetTest {
    private static final long SHORT_NS = 200_000;
    private static final long LONG_NS = 10_000_000;

    @Test
    void shouldStayShortWhenRanksHaveCoresOfTheirOwn() {
        YieldBudget budget = new YieldBudget(false);
        wait(budget, 10_000, 100_000);
        assertThat(budget.budgetNs()).isEqualTo(SHORT_NS);
    }

    @Test
    void shouldBecomeLongWhenRanksShareCoresAndOneShortWaitFollowsTheOther() {
        YieldBudget budget = new YieldBudget(true);
        wait(budget, 999, 300_000);
        assertThat(budget.budgetNs()).isEqualTo(SHORT_NS);
        wait(budget, 1, 300_000);
        assertThat(budget.budgetNs()).isEqualTo(LONG_NS);
    }

    @Test
    void shouldStayLongWhenAWaitIsLongNowAndThen() {
        YieldBudget budget = new YieldBudget(true);
        wait(budget, 2_000, 100_000);
        for (int i = 0; i < 20; i++) {
            wait(budget, 1, 5_000_000);
            wait(budget, 100, 100_000);
        }
        assertThat(budget.budgetNs()).isEqualTo(LONG_NS);
    }

    @Test
    void shouldStayShortWhenOthersComputeBetweenShortWaits() {
        YieldBudget budget = new YieldBudget(true);
        for (int i = 0; i < 1_000; i++) {
            wait(budget, 1, 2_000_000);
            wait(budget, 5, 100_000);
        }
        assertThat(budget.budgetNs()).isEqualTo(SHORT_NS);
    }

    @Test
    void shouldBecomeShortAtOnceWhenAWaitIsMuchLonger() {
        YieldBudget budget = new YieldBudget(true);
        wait(budget, 2_000, 100_000);
        wait(budget, 1, 50_000_000);
        assertThat(budget.budgetNs()).isEqualTo(SHORT_NS);
    }

    private static void wait(YieldBudget budget, int times, long waitedNs) {
        for (int i = 0; i < times; i++) {
            budget.onWaited(waitedNs);
        }
    }
}
