package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class YieldBudgetTest {
    private static final long SHORT_NS = 200_000;
    private static final long LONG_NS = 10_000_000;

    @Test
    void shouldStayShortWhenRanksHaveCoresOfTheirOwn() {
        YieldBudget budget = new YieldBudget(false);
        for (int i = 0; i < 100; i++) {
            budget.onWaited(1_000_000);
        }
        assertThat(budget.budgetNs()).isEqualTo(SHORT_NS);
    }

    @Test
    void shouldGrowWhenRanksShareCoresAndWaitsEndSoonAfterTheFirstSleep() {
        YieldBudget budget = new YieldBudget(true);
        for (int i = 0; i < 20; i++) {
            budget.onWaited(7_000_000);
        }
        assertThat(budget.budgetNs()).isEqualTo(LONG_NS);
    }

    @Test
    void shouldNotGrowWhenWaitsAreMuchShorterThanItIs() {
        YieldBudget budget = new YieldBudget(true);
        for (int i = 0; i < 100; i++) {
            budget.onWaited(20_000);
        }
        assertThat(budget.budgetNs()).isEqualTo(SHORT_NS);
    }

    @Test
    void shouldFallBackWhenWaitsAreLonger() {
        YieldBudget budget = new YieldBudget(true);
        for (int i = 0; i < 20; i++) {
            budget.onWaited(7_000_000);
        }
        for (int i = 0; i < 4; i++) {
            budget.onWaited(50_000_000);
        }
        assertThat(budget.budgetNs()).isEqualTo(SHORT_NS);
    }
}
