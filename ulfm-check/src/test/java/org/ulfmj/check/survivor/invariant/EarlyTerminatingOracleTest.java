package org.ulfmj.check.survivor.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class EarlyTerminatingOracleTest {
    private static final int ALL = -1;
    private static final int SIZE = 4;

    private final EarlyTerminatingOracle<Integer> oracle = new EarlyTerminatingOracle<>((one, two) -> one & two);
    private final SortedMap<Integer, Integer> inputs = new TreeMap<>();

    EarlyTerminatingOracleTest() {
        for (int process = 0; process < SIZE; process++) {
            inputs.put(process, ~(1 << process));
        }
    }

    @Test
    void shouldCombineAllInTwoRoundsWithoutDeaths() {
        assertThat(oracle.decide(inputs, List.of()).values()).hasSize(SIZE).containsOnly(ALL << SIZE);
        assertThat(oracle.rounds()).isEqualTo(2);
    }

    @Test
    void shouldLetAllThatStopHoldTheSameWhicheverTwoDieWheneverAndHoweverFar() {
        for (int first = 0; first < SIZE; first++) {
            for (int second = 0; second < SIZE; second++) {
                for (int when = 0; when < 9 * SIZE * SIZE && first != second; when++) {
                    requireAgreement(
                            new EarlyTerminatingOracle.Death(first, 1 + when % 3, when / 9 % SIZE),
                            new EarlyTerminatingOracle.Death(second, 1 + when / 3 % 3, when / 9 / SIZE));
                }
            }
        }
    }

    private void requireAgreement(EarlyTerminatingOracle.Death one, EarlyTerminatingOracle.Death two) {
        SortedMap<Integer, Integer> decided = oracle.decide(inputs, List.of(one, two));
        assertThat(decided.values().stream().distinct()).as("%s, %s", one, two).hasSize(1);
        assertThat(oracle.rounds()).isLessThanOrEqualTo(2 + 2);
        for (int survivor = 0; survivor < SIZE; survivor++) {
            if (survivor != one.process() && survivor != two.process()) {
                assertThat(decided).containsKey(survivor);
                assertThat(decided.get(survivor) & 1 << survivor).isZero();
            }
        }
    }
}
