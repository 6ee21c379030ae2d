package org.ulfmj.runtime.waits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.runtime.waits.Reports.SECOND;
import static org.ulfmj.runtime.waits.Reports.call;
import static org.ulfmj.runtime.waits.Reports.computing;
import static org.ulfmj.runtime.waits.Reports.fromAny;
import static org.ulfmj.runtime.waits.Reports.need;
import static org.ulfmj.runtime.waits.Reports.quiet;
import static org.ulfmj.runtime.waits.Reports.receiving;
import static org.ulfmj.runtime.waits.Reports.waiting;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ulfmj.protocol.ProcessId;

class HungRanksTest {
    private static final long LIMIT_NS = 2 * SECOND;

    private static List<String> hung(RankView... views) {
        return HungRanks.of(List.of(views), LIMIT_NS).stream()
                .map(rank -> rank.process() + " " + rank.text())
                .toList();
    }

    @Test
    void shouldFindARankForWhichAnotherWaits() {
        assertThat(hung(receiving(0, 2.5, 1), computing(1, 3)))
                .containsExactly("1 has not called MPI for 3.0 s while rank 0 waits for it");
    }

    @Test
    void shouldNotTouchARankThatComputesAloneHoweverLong() {
        assertThat(hung(computing(0, 1e6), computing(1, 1e6))).isEmpty();
        assertThat(hung(receiving(0, 1e6, 2), computing(1, 1e6), computing(2, 0.5)))
                .as("rank 0 waits for another rank")
                .isEmpty();
    }

    @Test
    void shouldNotTakeARankForHungWhosePartGoesOnInTheBackground() {
        WaitReport quiet = computing(1, 9).report();
        WaitReport working = new WaitReport(
                quiet.process(),
                quiet.main(),
                List.of(),
                0,
                0,
                0,
                List.of(),
                new Stillness(9 * SECOND, 9 * SECOND, true));
        assertThat(hung(receiving(0, 9, 1), RankView.of(working))).isEmpty();
    }

    @Test
    void shouldWantTheWholeLimitOfBoth() {
        assertThat(hung(receiving(0, 1.9, 1), computing(1, 100)))
                .as("the wait is young: the rank has computed for long, and is asked for only now")
                .isEmpty();
        assertThat(hung(receiving(0, 100, 1), computing(1, 1.9))).isEmpty();
    }

    @Test
    void shouldNotTakeARankForHungThatIsInsideACall() {
        assertThat(hung(receiving(0, 9, 1), receiving(1, 9, 0)))
                .as("a deadlock is no silence")
                .isEmpty();
        assertThat(hung(receiving(0, 9, 1), quiet(1, 9, Activity.Kind.IN_CALL))).isEmpty();
        WaitReport report = computing(1, 9).report();
        WaitReport withThread = new WaitReport(
                ProcessId.of(1),
                report.main(),
                List.of(call(9, "recv", fromAny())),
                0,
                0,
                0,
                List.of(),
                report.stillness());
        assertThat(hung(receiving(0, 9, 1), RankView.of(withThread)))
                .as("a thread of the rank waits in MPI")
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPUTES", "BLOCKED", "IN_OPERATOR", "ENDED"})
    void shouldFindARankWhateverItDoesOutsideOfMpi(Activity.Kind kind) {
        assertThat(hung(receiving(0, 9, 1), quiet(1, 9, kind))).hasSize(1);
    }

    @Test
    void shouldNameAllWhoWait() {
        assertThat(hung(
                        waiting(0, call(3, "barrier", need("barrier", "", 4, 2))),
                        waiting(1, call(3, "barrier", need("barrier", "", 4, 2))),
                        computing(2, 4),
                        receiving(3, 3, 0)))
                .as("rank 3 waits for rank 0")
                .containsExactly("2 has not called MPI for 4.0 s while ranks 0, 1 wait for it");
    }

    @Test
    void shouldFindAllRanksThatHoldUpACollectiveCall() {
        assertThat(hung(
                        waiting(0, call(3, "barrier", need("barrier", "", 4, 1, 2))),
                        computing(1, 4),
                        computing(2, 5),
                        computing(3, 5)))
                .hasSize(2);
    }

    @Test
    void shouldFindARankThatAnyOtherCouldStandInForOnlyIfNoneCan() {
        Wait any = call(9, "recv", fromAny());
        assertThat(hung(waiting(0, any), computing(1, 9), computing(2, 0.1)))
                .as("rank 2 may send yet")
                .isEmpty();
        assertThat(hung(waiting(0, any), computing(1, 9), receiving(2, 9, 0)))
                .as("rank 2 waits for rank 0, and rank 0 for what only rank 1 can send")
                .containsExactly("1 has not called MPI for 9.0 s while rank 0 waits for it");
    }

    @Test
    void shouldNotCountThoseThatGaveNoReport() {
        assertThat(hung(receiving(0, 9, 1), RankView.silent(1, "does not answer")))
                .isEmpty();
        assertThat(hung(receiving(0, 9, 1), RankView.gone(1, "has finalized"))).isEmpty();
    }

    @Test
    void shouldSeeProgressOfAnyRank() {
        assertThat(isAnyProgress(receiving(0, 9, 1), receiving(1, 9, 0))).isFalse();
        assertThat(isAnyProgress(receiving(0, 9, 1), receiving(1, 1.9, 0))).isTrue();
        assertThat(isAnyProgress(computing(0, 9), computing(1, 9))).isFalse();
        assertThat(isAnyProgress(receiving(0, 9, 1), RankView.silent(1, "does not answer")))
                .isFalse();
        assertThat(isAnyProgress(receiving(0, 9, 1), RankView.gone(1, "has finalized")))
                .isFalse();
        assertThat(isAnyProgress(RankView.silent(0, "does not answer"))).isTrue();
    }

    private static boolean isAnyProgress(RankView... views) {
        return HungRanks.isAnyProgress(List.of(views), LIMIT_NS);
    }
}
