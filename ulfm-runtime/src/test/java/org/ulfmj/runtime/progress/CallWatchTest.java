package org.ulfmj.runtime.progress;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CallWatchTest {
    private static final long MS = 1_000_000;

    private final CallWatch watch = new CallWatch();
    private long nowNs = -5 * MS;

    private void look(long calls, boolean isWaitedIn, long untilMs) {
        while (nowNs < untilMs * MS) {
            nowNs += 50 * MS;
            watch.look(calls, isWaitedIn, nowNs);
        }
    }

    private long quietMs() {
        return watch.quietNs() / MS;
    }

    private long idleMs() {
        return watch.idleNs() / MS;
    }

    @Test
    void shouldCountTheTimeSinceTheLastCall() {
        watch.look(7, false, nowNs);
        assertThat(quietMs()).isZero();
        look(7, false, 3_000);
        assertThat(quietMs()).isBetween(2_950L, 3_050L);
        assertThat(idleMs()).isEqualTo(quietMs());
        look(8, false, 3_050);
        assertThat(quietMs()).isZero();
        assertThat(idleMs()).isZero();
    }

    @Test
    void shouldTakeARankThatWaitsForIdleAndNotForQuiet() {
        look(1, false, 1_000);
        look(2, true, 5_000);
        assertThat(quietMs()).isZero();
        assertThat(idleMs()).isBetween(3_900L, 4_000L);
    }

    @Test
    void shouldBeginAnewWhenAWaitIsOverThoughTheCallGoesOnInTheProgramsOperator() {
        look(1, true, 5_000);
        look(1, false, 6_000);
        assertThat(quietMs()).isBetween(900L, 1_050L);
        assertThat(idleMs()).isGreaterThan(5_900);
    }

    @Test
    void shouldLeaveOutATimeInWhichTheProcessStoodStill() {
        look(1, false, 1_000);
        nowNs += 600_000 * MS;
        watch.look(1, false, nowNs);
        assertThat(quietMs()).isLessThan(1_050);
        assertThat(idleMs()).isLessThan(1_050);
        nowNs += 900 * MS;
        watch.look(1, false, nowNs);
        assertThat(quietMs()).as("a late look is no standstill").isGreaterThan(1_800);
    }
}
