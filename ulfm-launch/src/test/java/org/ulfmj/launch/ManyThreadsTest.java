package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.testkit.LocalWorld;
import org.ulfmj.testkit.RankEnd;

/** Checks {@code THREAD_MULTIPLE} while ranks die, with ranks as threads. */
class ManyThreadsTest {
    @ParameterizedTest
    @CsvSource({"allReduce,40,agree,90", "agree,1,agree,2", "shrink,1,allReduce,60", "sendRecvReplace,33,barrier,77"})
    void shouldGoOnInEveryThreadWhenRanksDie(String first, int nth, String second, int mth) {
        assertThat(LocalWorld.of(4)
                        .killing(1, "allReduce", 20)
                        .killing(1, first, nth)
                        .killing(3, second, mth)
                        .run(() -> ManyThreads.main(new String[] {"platform", "4", "40"}))
                        .requireSurvivorsSucceeded()
                        .ranks(RankEnd.FINALIZED))
                .containsExactly(0, 2);
    }
}
