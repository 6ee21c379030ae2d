package org.ulfmj.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.runtime.progress.CallWatch;

/**
 * Tests when a rank reports to the launcher that it has neither entered nor left a call of MPI for long. Runs in
 * virtual time, with a look every 50 ms.
 */
class SilenceNoticeTest {
    private static final long MS = 1_000_000;
    private static final long OFF = Long.MAX_VALUE;

    private final CallWatch calls = new CallWatch();
    private final List<Long> toldMs = new ArrayList<>();
    private long nowMs;

    private void run(SilenceNotice notice, long entered, boolean isWaitedIn, long untilMs) {
        for (; nowMs < untilMs; nowMs += 50) {
            calls.look(entered, isWaitedIn, nowMs * MS);
            if (notice.isDue(calls, nowMs * MS)) {
                toldMs.add(nowMs);
            }
        }
    }

    @Test
    void shouldTellOnceTheLimitIsReachedAndAgainInEachQuarterOfIt() {
        SilenceNotice notice = new SilenceNotice(2_000 * MS, OFF);
        run(notice, 1, false, 3_200);
        assertThat(toldMs).containsExactly(2_000L, 2_500L, 3_000L);
        run(notice, 2, false, 5_000);
        assertThat(toldMs).as("a call began the time anew").hasSize(3);
        run(notice, 2, false, 5_400);
        assertThat(toldMs).endsWith(3_000L, 5_200L);
    }

    @Test
    void shouldNotTellOfARankThatWaits() {
        run(new SilenceNotice(2_000 * MS, OFF), 1, true, 60_000);
        assertThat(toldMs).isEmpty();
    }

    @Test
    void shouldTellOfARankThatWaitsWhenTheLimitIsOneOfProgress() {
        SilenceNotice notice = new SilenceNotice(OFF, 4_000 * MS);
        run(notice, 1, true, 5_500);
        assertThat(toldMs).containsExactly(4_000L, 5_000L);
        run(notice, 2, true, 9_000);
        assertThat(toldMs).as("a call began the time anew").hasSize(2);
    }

    @Test
    void shouldTellByEitherLimit() {
        SilenceNotice notice = new SilenceNotice(2_000 * MS, 4_000 * MS);
        run(notice, 1, false, 2_100);
        run(notice, 2, true, 6_200);
        assertThat(toldMs).containsExactly(2_000L, 6_100L);
    }
}
