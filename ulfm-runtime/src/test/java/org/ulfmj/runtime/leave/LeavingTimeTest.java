package org.ulfmj.runtime.leave;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeavingTimeTest {
    private static final long MS = 1_000_000;
    private static final long BEGAN = 17;

    @ParameterizedTest
    @CsvSource({"10000, 9000, 500, 250", "60000, 59000, 500, 250", "3000, 2700, 150, 75", "0, 0, 0, 0"})
    void shouldEndBeforeSigkillThoughHandlerPeersAndLauncherUseUpTheirTime(
            long graceMs, long handlerMs, long linksMs, long wordMs) {
        LeavingTime times = new LeavingTime(BEGAN, graceMs * MS);
        long nowNs = BEGAN + times.handlerNs();
        assertThat(times.handlerNs()).isEqualTo(handlerMs * MS);
        assertThat(times.handlerEndsNs()).isEqualTo(nowNs);
        assertThat(times.linksNs(nowNs)).isEqualTo(linksMs * MS);
        nowNs += times.linksNs(nowNs);
        assertThat(times.wordNs(nowNs)).isEqualTo(wordMs * MS);
    }

    @ParameterizedTest
    @CsvSource({"10000, 100, 1000", "10000, 8900, 600", "10000, 9600, 0", "500, 0, 475"})
    void shouldGiveTheLinksWhatTheHandlerHasLeftAtMostASecond(long graceMs, long tookMs, long linksMs) {
        LeavingTime times = new LeavingTime(BEGAN, graceMs * MS);
        assertThat(times.linksNs(BEGAN + tookMs * MS)).isEqualTo(linksMs * MS);
    }
}
