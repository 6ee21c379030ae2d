package org.ulfmj.runtime.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeoutsTest {
    private static final String DEAD =
            ": a process that is dead or stands still must be known before a program is taken for hung (rule E7)";
    private static final String RESTORED =
            ": a rank must not be held for failed while its link may be restored (rule E4)";

    /** Settings {@code NAME=VALUE} with blanks between them. */
    private static Map<String, String> settings(String text) {
        Map<String, String> settings = new TreeMap<>();
        for (String setting : text.split(" ")) {
            int equals = setting.indexOf('=');
            settings.put(setting.substring(0, equals), setting.substring(equals + 1));
        }
        return settings;
    }

    private static Options options(String text) {
        return Options.of(settings(text));
    }

    private static String value(Options options, String name) {
        return options.toSettings().get(name);
    }

    @Test
    void shouldHaveTheDefaultsOfTheTable() {
        Map<String, String> settings = Options.defaults().toSettings();
        assertThat(settings)
                .containsEntry("ulfm.link.rto", "500ms")
                .containsEntry("ulfm.link.budget", "3s")
                .containsEntry("ulfm.fd.period", "500ms")
                .containsEntry("ulfm.fd.timeout", "5s")
                .containsEntry("ulfm.rdzv.lease", "15s")
                .containsEntry("ulfm.rdzv.keepalive", "3s")
                .containsEntry("ulfm.rdzv.confirm", "10s")
                .containsEntry("ulfm.rdzv.join", "10min")
                .containsEntry("ulfm.grace", "10s")
                .containsEntry("ulfm.silence.limit", "off")
                .containsEntry("ulfm.silence.action", "abort")
                .containsEntry("ulfm.progress.limit", "off");
        assertThat(Options.defaults().silenceLimitNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(Options.defaults().progressLimitNs()).isEqualTo(Long.MAX_VALUE);
        Options on = options("ulfm.silence.limit=on ulfm.progress.limit=on");
        assertThat(value(on, "ulfm.silence.limit")).isEqualTo("15min");
        assertThat(value(on, "ulfm.progress.limit")).isEqualTo("1h");
    }

    @Test
    void shouldScaleWhatWasNotSetWithWhatWas() {
        Options slow = options("ulfm.fd.timeout=60s");
        assertThat(value(slow, "ulfm.fd.period")).isEqualTo("6s");
        assertThat(value(slow, "ulfm.link.budget")).isEqualTo("36s");
        assertThat(value(slow, "ulfm.link.rto")).isEqualTo("6s");
        assertThat(value(slow, "ulfm.rdzv.lease")).isEqualTo("3min");
        assertThat(value(slow, "ulfm.rdzv.keepalive")).isEqualTo("36s");
        assertThat(value(options("ulfm.link.budget=1200ms"), "ulfm.link.rto")).isEqualTo("200ms");
        assertThat(value(options("ulfm.rdzv.lease=1min"), "ulfm.rdzv.keepalive"))
                .isEqualTo("12s");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ulfm.link.rto",
                "ulfm.link.budget",
                "ulfm.fd.period",
                "ulfm.fd.timeout",
                "ulfm.rdzv.lease",
                "ulfm.rdzv.keepalive",
                "ulfm.rdzv.confirm",
                "ulfm.rdzv.join",
                "ulfm.silence.limit",
                "ulfm.progress.limit"
            })
    void e1ShouldWantEachValueFiniteAndAboveZero(String name) {
        assertThatThrownBy(() -> options(name + "=0s"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(name + ": '0s' is not allowed; allowed: ");
        for (String value : new String[] {"-1s", "NaN", "Infinity", "inf", "5", "1e9s", "99999999999h", ""}) {
            assertThatThrownBy(() -> options(name + "=" + value))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(name + ": '" + value + "' is not ");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "ulfm.link.rto=3s~ulfm.link.rto (3s) must be below ulfm.link.budget (3s): a link needs time for a second"
                        + " attempt (rule E2)",
                "ulfm.link.rto=2500ms~ulfm.link.budget (3s) must be at least ulfm.link.rto (2500ms) plus three waits of"
                        + " 250ms between attempts to dial (rule E3)",
                "ulfm.link.budget=5s~ulfm.link.budget (5s) must be below ulfm.fd.timeout (5s)" + RESTORED,
                "ulfm.fd.period=1667ms~ulfm.fd.period (1667ms) must be at most a third of ulfm.fd.timeout (5s): two"
                        + " heartbeats may be late (rule E5)",
                "ulfm.rdzv.lease=5s~ulfm.fd.timeout (5s) must be below ulfm.rdzv.lease (5s): the detector must speak"
                        + " before a lease ends (rule E6)",
                "ulfm.silence.limit=5s~ulfm.fd.timeout (5s) must be below ulfm.silence.limit (5s)" + DEAD,
                "ulfm.progress.limit=4s~ulfm.fd.timeout (5s) must be below ulfm.progress.limit (4s)" + DEAD,
                "ulfm.silence.limit=1h ulfm.progress.limit=on~ulfm.silence.limit (1h) must be below ulfm.progress.limit"
                        + " (1h): the job would be ended before a silent rank is found (rule E7)",
                "ulfm.rdzv.join=10s~ulfm.rdzv.confirm (10s) must be below ulfm.rdzv.join (10s): to confirm is the last"
                        + " part of joining (rule E8)",
                "ulfm.silence.action=fail ulfm.ft=none~ulfm.silence.action (fail) needs ulfm.ft=ulfm, not none: without"
                        + " fault tolerance no rank survives the failure of another"
            })
    void shouldRefuseWithBothNamesBothValuesAndTheRule(String settings, String message) {
        assertThatThrownBy(() -> options(settings))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "ulfm.link.rto=2250ms~E3 to the millisecond",
                "ulfm.link.budget=4999ms~E4 to the millisecond",
                "ulfm.fd.period=1666ms~E5 to the millisecond",
                "ulfm.silence.limit=5001ms ulfm.progress.limit=5002ms~E7 to the millisecond",
                "ulfm.rdzv.lease=5001ms~E6 to the millisecond",
                "ulfm.fd=off ulfm.link.budget=24h~E4 is void without a detector",
                "ulfm.fd=off ulfm.rdzv.lease=1s~E6 is void without a detector",
                "ulfm.fd=off ulfm.silence.limit=2s ulfm.progress.limit=3s~E7 has no first half without a detector",
                "ulfm.link.retry=off ulfm.link.rto=4s~E2 and E3 are void where no link is dialled again"
            })
    void shouldRefuseNoMoreThanTheRules(String settings, String why) {
        Options options = options(settings);
        assertThat(options.warnings()).as(why).isEmpty();
        assertThat(Options.of(options.toSettings()).hash()).as(why).isEqualTo(options.hash());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "ulfm.fd.timeout=999ms~ulfm.fd.timeout (999ms) is below 1s: a long pause of a JVM may then be taken for"
                        + " its death (rule W1)",
                "ulfm.rdzv.keepalive=6s~ulfm.rdzv.lease (15s) is below three times ulfm.rdzv.keepalive (6s), and a"
                        + " third of the lease is taken instead (rule W2)",
                "ulfm.link.retry=off ulfm.link.budget=6s~ulfm.link.budget (6s) is not below ulfm.fd.timeout (5s): a rank"
                        + " is then judged silent before its link counts as lost (rule E4)"
            })
    void shouldWarnOnceAndGoOn(String settings, String warning) {
        assertThat(options(settings).warnings()).containsExactly(warning);
    }

    @Test
    void w3ShouldHashEachTimeout() {
        long hash = Options.defaults().hash();
        for (String other : new String[] {
            "ulfm.link.rto=501ms",
            "ulfm.link.budget=3001ms",
            "ulfm.fd.period=501ms",
            "ulfm.fd.timeout=5001ms",
            "ulfm.rdzv.lease=16s",
            "ulfm.rdzv.keepalive=2s",
            "ulfm.silence.limit=on",
            "ulfm.silence.action=report",
            "ulfm.progress.limit=on"
        }) {
            assertThat(options(other).hash()).as(other).isNotEqualTo(hash);
        }
    }

    // Most of the tests below show that combinations of timeouts are refused which cause errors in other systems (the
    // rows of the table in the specification).

    @Test
    void shouldRefuseATransactionThatEndsBeforeItsFirstMessageUnlessNoneIsSentAgain() {
        String settings = "ulfm.link.rto=2s ulfm.link.budget=1s";
        assertThatThrownBy(() -> options(settings)).hasMessageContaining("ulfm.link.rto (2s) must be below");
        assertThat(options("ulfm.link.retry=off " + settings).warnings()).isEmpty();
    }

    @Test
    void shouldRefuseATransactionWithoutRoomForThreeAttempts() {
        assertThatThrownBy(() -> options("ulfm.link.rto=1s ulfm.link.budget=1500ms"))
                .hasMessageContaining("ulfm.link.budget (1500ms) must be at least ulfm.link.rto (1s) plus three waits");
        assertThat(options("ulfm.link.rto=1s ulfm.link.budget=2s").warnings()).isEmpty();
    }

    @Test
    void shouldRefuseToGoOnWithAPeerThatIsDeclaredDead() {
        assertThatThrownBy(() -> options("ulfm.link.budget=100s ulfm.fd.timeout=90s"))
                .hasMessage("ulfm.link.budget (100s) must be below ulfm.fd.timeout (90s)" + RESTORED);
        assertThatThrownBy(() -> options("ulfm.fd.timeout=100s ulfm.silence.limit=90s"))
                .hasMessage("ulfm.fd.timeout (100s) must be below ulfm.silence.limit (90s)" + DEAD);
    }

    @Test
    void shouldRefuseAProgressLimitUnderWhichNoSilenceIsFound() {
        assertThatThrownBy(() -> options("ulfm.silence.limit=10min ulfm.progress.limit=5min"))
                .hasMessageStartingWith("ulfm.silence.limit (10min) must be below ulfm.progress.limit (5min): ");
    }

    /**
     * Shows that 1 ms is accepted as the timeout for an acknowledgement, without a warning. The length of messages and
     * the time of handlers are no part of what it measures.
     */
    @Test
    void shouldWantNoTimeoutThatKnowsHowLongMessagesAre() {
        assertThat(options("ulfm.link.rto=1ms").warnings()).isEmpty();
        assertThat(options("ulfm.link.rto=1ms").timing().linkRtoNs()).isEqualTo(1_000_000);
    }
}
