package org.ulfmj.benchmarks.reproduce.overlay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.ulfmj.detector.BinomialGraph;
import org.ulfmj.sim.SeededRandom;

class CutProbabilityTest {
    @Test
    void shouldFindNoCutBelowTheDegree() {
        assertThat(CutProbability.sampled(16, 6, 2_000, new SeededRandom(1)).cuts())
                .isZero();
    }

    /**
     * Counts the survivors that have lost all their neighbours, over all 12,870 ways in which 8 of 16 members can fail.
     */
    @Test
    void shouldExpectAsManyLostMembersAsThereAreOnAverage() {
        long sets = 0;
        long lost = 0;
        for (int failed = 0; failed < 1 << 16; failed++) {
            if (Integer.bitCount(failed) == 8) {
                sets++;
                lost += lostMembers(failed);
            }
        }
        CutProbability probability = new CutProbability(16, 8, 1, 0);
        assertThat(probability.isolatedToExpect()).isEqualTo((double) lost / sets, within(1e-12));
    }

    @Test
    void shouldMeasureTheSameForTheSameSeed() {
        CutProbability first = CutProbability.sampled(64, 40, 500, new SeededRandom(7));
        assertThat(first.cuts()).isPositive();
        assertThat(CutProbability.sampled(64, 40, 500, new SeededRandom(7))).isEqualTo(first);
    }

    private static int lostMembers(int failed) {
        int lost = 0;
        for (int member = 0; member < 16; member++) {
            boolean lives = (failed >> member & 1) == 0;
            if (lives
                    && Arrays.stream(BinomialGraph.neighbours(member, 16))
                            .allMatch(neighbour -> (failed >> neighbour & 1) == 1)) {
                lost++;
            }
        }
        return lost;
    }
}
