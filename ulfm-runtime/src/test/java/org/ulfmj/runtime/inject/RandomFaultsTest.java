package org.ulfmj.runtime.inject;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the faults that a rule {@code random} draws from a seed. */
class RandomFaultsTest {
    private static final int SIZE = 5;

    @Test
    void shouldDrawTheSameFromTheSameSeedAndOtherwiseFromAnother() {
        String rule = "random:*,max=2,rate=1/3s,of=kill|stop|reset|slow,keep=0@t=1s..60s";
        assertThat(texts(rule, 42)).isEqualTo(texts(rule, 42)).hasSizeGreaterThan(5);
        assertThat(IntStream.range(0, 20).mapToObj(seed -> texts(rule, seed)).distinct())
                .hasSize(20);
    }

    @Test
    void shouldLeaveSurvivorsAndKeepWhatIsToBeKept() {
        for (int seed = 0; seed < 200; seed++) {
            List<PlannedFault> faults = plan("random:*,max=3,rate=1/200ms,of=kill|exit|pause,keep=0,2@t=1s..10s")
                    .draw(seed);
            Set<Integer> ended = new HashSet<>();
            for (PlannedFault fault : faults) {
                assertThat(fault.rank()).isNotIn(0, 2);
                assertThat(ended).as("rank of a fault, seed %d", seed).doesNotContain(fault.rank());
                if (fault.action().isEnd()) {
                    ended.add(fault.rank());
                }
                long atNs = ((Moment.AtTime) fault.moment()).afterStartNs();
                assertThat(atNs).isBetween(1_000_000_000L, 10_000_000_000L);
            }
            assertThat(ended).hasSizeBetween(1, 3);
        }
    }

    @Test
    void shouldDrawCalls() {
        List<PlannedFault> faults =
                plan("random:*,max=4,of=kill|hang@op=allreduce#random(50)").draw(7);
        assertThat(faults).hasSize(4);
        assertThat(faults).allSatisfy(fault -> assertThat(((Moment.AtOperation) fault.moment()).count())
                .isBetween(1L, 50L));
    }

    @Test
    void shouldWriteRulesThatGiveTheSamePlanWithoutASeed() {
        for (int seed = 0; seed < 100; seed++) {
            List<PlannedFault> faults = plan("random:*,max=2,rate=1/1s,of=kill|exit|term|oom|stop|pause|hang|slow|reset"
                            + "|blackhole|delay,ms=800@t=1s..20s")
                    .draw(seed);
            List<String> texts = faults.stream().map(PlannedFault::toString).toList();
            InjectPlan again = InjectPlan.parse(List.of(), SIZE).with("plan", texts);
            assertThat(again.isRandom()).isFalse();
            assertThat(again.draw(seed + 1)).isEqualTo(faults);
        }
    }

    @Test
    void shouldKnowWhichPlansNeedTcp() {
        assertThat(plan("random:*,of=kill|reset@t=1s..2s").hasLinkRules()).isTrue();
        assertThat(plan("random:*,of=kill@t=1s..2s").hasLinkRules()).isFalse();
        assertThat(plan("reset:link=0-1@t=1s").hasLinkRules()).isTrue();
        assertThat(plan("stop:rank=1@t=1s").hasLinkRules()).isFalse();
    }

    private static InjectPlan plan(String rule) {
        return InjectPlan.parse(List.of(rule), SIZE);
    }

    private static List<String> texts(String rule, long seed) {
        return plan(rule).draw(seed).stream().map(PlannedFault::toString).toList();
    }
}
