package org.ulfmj.transport.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What holds for two sessions in many random schedules, with or without cuts of their connections: which frames are
 * delivered, whether a marked peer is told, and that both sessions leave in time.
 */
class LinkPairTest {
    private static final int SEEDS = 3_000;

    @Test
    void shouldDeliverEverythingWhateverTheOrderWhenNothingBreaks() {
        for (long next = 1; next <= SEEDS; next++) {
            CutPair pair = new CutPair(next);
            pair.run(12, 0, false);
            pair.settle();
            for (CutPair.Rank rank : pair.ranks) {
                assertThat(rank.delivered).as(pair.replay()).hasSize(rank.other.offered);
                assertThat(rank.session.isHandedOver()).as(pair.replay()).isTrue();
                assertThat(rank.wasEverLost).as(pair.replay()).isFalse();
            }
        }
    }

    @Test
    void shouldDeliverEverythingWhateverIsCut() {
        int cut = 0;
        for (long next = 1; next <= SEEDS; next++) {
            CutPair pair = new CutPair(next);
            pair.run(12, 3, true);
            pair.settle();
            for (CutPair.Rank rank : pair.ranks) {
                assertThat(rank.delivered).as(pair.replay()).hasSize(rank.other.offered);
                assertThat(rank.session.isHandedOver()).as(pair.replay()).isTrue();
                assertThat(rank.isLost).as(pair.replay()).isFalse();
            }
            cut += pair.cuts > 0 ? 1 : 0;
        }
        assertThat(cut).as("schedules with a cut").isPositive();
    }

    @Test
    void shouldHaveAConnectionAgainAfterTheLossOfAnIdleOne() {
        for (long next = 1; next <= SEEDS / 10; next++) {
            CutPair pair = new CutPair(next);
            pair.ranks[0].offer();
            pair.settle();
            pair.resetAll();
            pair.settle();
            for (CutPair.Rank rank : pair.ranks) {
                assertThat(rank.session.adopted()).as(pair.replay()).isNotNull();
                assertThat(rank.session.adopted()).as(pair.replay()).isEqualTo(rank.other.session.adopted());
            }
        }
    }

    @Test
    void shouldTellTheMarkedUnlessThereIsNoPathAndDeliverNothingOfIt() {
        int told = 0;
        for (long next = 1; next <= SEEDS; next++) {
            CutPair pair = new CutPair(next);
            pair.run(6, 0, false);
            CutPair.Rank marker = pair.ranks[pair.random.nextInt(2)];
            marker.session.mark(pair.nowNs);
            marker.hasMarked = true;
            pair.run(12, 0, false);
            pair.settle();
            if (marker.other.offered > marker.delivered.size()) {
                assertThat(marker.other.isExcluded).as(pair.replay()).isTrue();
            }
            assertThat(marker.isExcluded).as(pair.replay()).isFalse();
            told += marker.other.isExcluded ? 1 : 0;
        }
        assertThat(told).isPositive();
    }

    @Test
    void shouldLeaveAfterTheGoodbyesWithoutWaitingForAnyLimitWhenNothingBreaks() {
        for (long next = 1; next <= SEEDS; next++) {
            CutPair pair = new CutPair(next);
            pair.run(12, 0, false);
            for (CutPair.Rank rank : pair.random.nextBoolean()
                    ? List.of(pair.ranks[0], pair.ranks[1])
                    : List.of(pair.ranks[1], pair.ranks[0])) {
                rank.leave();
                for (int i = pair.random.nextInt(20); i > 0; i--) {
                    List<Runnable> steps = pair.steps();
                    if (!steps.isEmpty()) {
                        pair.step(steps);
                    }
                }
            }
            long startNs = pair.nowNs;
            pair.settle();
            for (CutPair.Rank rank : pair.ranks) {
                assertThat(rank.session.hasLeft()).as(pair.replay()).isTrue();
                assertThat(rank.wasEverLost).as(pair.replay()).isFalse();
            }
            assertThat(pair.nowNs - startNs).as(pair.replay()).isLessThan(CutPair.TIMING.linkRtoNs());
        }
    }

    @Test
    void shouldLeaveWithinTheBudgetWhateverIsCut() {
        for (long next = 1; next <= SEEDS; next++) {
            CutPair pair = new CutPair(next);
            pair.run(12, 2, true);
            pair.ranks[0].session.leave(pair.nowNs);
            pair.run(12, 3, true);
            pair.ranks[1].session.leave(pair.nowNs);
            long startNs = pair.nowNs;
            pair.settle();
            for (CutPair.Rank rank : pair.ranks) {
                assertThat(rank.session.hasLeft()).as(pair.replay()).isTrue();
            }
            assertThat(pair.nowNs - startNs)
                    .as(pair.replay())
                    .isLessThanOrEqualTo(2 * CutPair.TIMING.linkBudgetNs() + 2 * CutPair.TIMING.linkRtoNs());
        }
    }
}
