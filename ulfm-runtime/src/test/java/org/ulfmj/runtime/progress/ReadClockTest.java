package org.ulfmj.runtime.progress;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests which time a {@link ReadClock} gives without a reading of the clock below it. */
class ReadClockTest {
    private long nowNs = 7;

    @Test
    void shouldGiveTheTimeOfTheLastReading() {
        ReadClock clock = new ReadClock(() -> nowNs);
        nowNs = 20;
        assertThat(clock.latestNs()).isEqualTo(7);
        assertThat(clock.nowNs()).isEqualTo(20);
        nowNs = 30;
        assertThat(clock.latestNs()).isEqualTo(20);
    }

    @Test
    void shouldGiveTheTimeNowWhereAClockKeepsNoReading() {
        Clock clock = () -> nowNs;
        nowNs = 40;
        assertThat(clock.latestNs()).isEqualTo(40);
    }
}
