package examples.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class StrikePlanTest {
    private static SoakOptions options(String... arguments) {
        return SoakOptions.parse(arguments);
    }

    @Test
    void shouldRepeatAPlanWhenTheSeedIsTheSame() {
        SoakOptions options = options("--deaths", "3", "--ranks", "5");
        assertThat(StrikePlan.of(options, 17))
                .isEqualTo(StrikePlan.of(options, 17))
                .isNotEqualTo(StrikePlan.of(options, 18));
    }

    @Test
    void shouldStrikeEachRankOnceAndEveryRankSooner() {
        SoakOptions options = options("--deaths", "3", "--ranks", "4");
        for (long seed = 0; seed < 100; seed++) {
            assertThat(StrikePlan.of(options, seed))
                    .extracting(StrikePlan.Death::victim)
                    .doesNotHaveDuplicates()
                    .hasSize(3);
        }
        assertThat(LongStream.range(0, 100)
                        .mapToObj(seed -> StrikePlan.of(options, seed).get(0).victim())
                        .collect(Collectors.toSet()))
                .containsExactlyInAnyOrder(0, 1, 2, 3);
    }

    @Test
    void shouldComeWithinTheFirstCallsOrInFinalize() {
        for (long seed = 0; seed < 100; seed++) {
            assertThat(StrikePlan.of(options("--calls", "10"), seed).get(0).call())
                    .isBetween(1L, 10L);
            assertThat(StrikePlan.of(options("--in-finalize"), seed).get(0).call())
                    .isEqualTo(StrikePlan.FINALIZE);
        }
    }
}
