package org.ulfmj.runtime.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.transport.record.Protection;

class OptionsTest {
    private static final long MS = 1_000_000;

    @Test
    void shouldHaveTheDocumentedDefaults() {
        Options options = Options.defaults();
        assertThat(options.isFaultTolerant()).isTrue();
        assertThat(options.initialErrhandler()).isEqualTo("mpi_errors_return");
        assertThat(options.timing().detectorTimeoutNs()).isEqualTo(5_000 * MS);
        assertThat(options.timing().heartbeatPeriodNs()).isEqualTo(500 * MS);
        assertThat(options.timing().linkBudgetNs()).isEqualTo(3_000 * MS);
        assertThat(options.timing().linkRtoNs()).isEqualTo(500 * MS);
        assertThat(options.rankSettings(2, false, List.of())).isEqualTo(RankSettings.of(options.timing()));
        assertThat(options.shmDirectory()).isEqualTo(Path.of("/dev/shm"));
        assertThat(options.shmMaxBytes()).isEqualTo(1L << 30);
        assertThat(options.warnings()).isEmpty();
    }

    @Test
    void shouldWarnOfAJobOnSeveralHostsThatIsNotEncrypted() {
        assertThat(Options.defaults().protection()).isEqualTo(Protection.AUTO);
        assertThat(Options.of(Map.of("ulfm.net.protect", "aead")).protection()).isEqualTo(Protection.AEAD);
        Options open = Options.of(Map.of("ulfm.net.protect", "none"));
        assertThat(open.protection()).isEqualTo(Protection.NONE);
        assertThat(open.warnings(1)).isEmpty();
        assertThat(open.warnings(3))
                .containsExactly("ulfm.net.protect=none on 3 hosts: whatever lies between the hosts can read and change"
                        + " the messages of the job");
        assertThat(Options.defaults().warnings(3)).isEmpty();
        assertThat(open.hash()).isNotEqualTo(Options.defaults().hash());
    }

    @Test
    void shouldDivideCreditAmongTheOtherRanksOfTheHost() {
        Options options = Options.defaults();
        assertThat(options.rankSettings(1, false, List.of()).eagerCreditBytes()).isEqualTo(4 << 20);
        assertThat(options.rankSettings(2, false, List.of()).eagerCreditBytes()).isEqualTo(4 << 20);
        assertThat(options.rankSettings(9, false, List.of()).eagerCreditBytes()).isEqualTo(512 << 10);
        assertThat(options.rankSettings(1000, false, List.of()).eagerCreditBytes())
                .as("the longest message that goes whole has room")
                .isEqualTo(136 << 10);
        Options least = Options.of(Map.of("ulfm.eager.credit", "64KiB"));
        assertThat(least.rankSettings(9, false, List.of()).eagerCreditBytes()).isEqualTo(64 << 10);
    }

    @Test
    void shouldEndTheJobAtErrorsByDefaultWithoutFaultTolerance() {
        assertThat(Options.of(Map.of("ulfm.ft", "none")).initialErrhandler()).isEqualTo("mpi_errors_are_fatal");
        assertThat(Options.of(Map.of("ulfm.ft", "none", "ulfm.initial.errhandler", "mpi_errors_return"))
                        .initialErrhandler())
                .isEqualTo("mpi_errors_return");
    }

    /**
     * Shows that the timing and the settings of ranks are the same with the values {@code high} and {@code normal} of
     * {@code ulfm.fd.accuracy}, and that {@code low} is refused.
     */
    @Test
    void shouldConfirmASilenceInEveryJobWhateverAccuracyIsAskedFor() {
        Options high = Options.of(Map.of("ulfm.fd.accuracy", "high"));
        Options normal = Options.of(Map.of("ulfm.fd.accuracy", "normal"));
        assertThat(high.hash()).isEqualTo(Options.defaults().hash());
        assertThat(normal.timing()).isEqualTo(high.timing());
        assertThat(normal.rankSettings(2, false, List.of())).isEqualTo(high.rankSettings(2, false, List.of()));
        assertThatThrownBy(() -> Options.of(Map.of("ulfm.fd.accuracy", "low")))
                .hasMessage("ulfm.fd.accuracy: 'low' is not allowed; allowed: normal | high");
    }

    @Test
    void shouldNameTheNearestWhenANameIsUnknown() {
        assertThatThrownBy(() -> Options.of(Map.of("ulfm.fd.timout", "5s")))
                .hasMessage("unknown option ulfm.fd.timout; the nearest known one is ulfm.fd.timeout"
                        + " (docs/use/options.md lists all)");
        assertThatThrownBy(() -> Options.fromEnvironment(Map.of("ULFM_FD_TIMEOT", "5s")))
                .hasMessage("environment variable ULFM_FD_TIMEOT is no option; the nearest known one is"
                        + " ULFM_FD_TIMEOUT (docs/use/options.md lists all)");
    }

    @Test
    void shouldReadOptionsButNotThePlaceOfAProcessFromTheEnvironment() {
        Map<String, String> environment =
                Map.of("ULFM_FD_TIMEOUT", "2s", "ULFM_RANK", "3", "ULFM_RUN_ID", "ab", "ULFM_HOME", "/opt");
        assertThat(Options.fromEnvironment(environment)).containsExactly(Map.entry("ulfm.fd.timeout", "2s"));
    }

    @Test
    void shouldReadAllPropertiesOfOurNameSpace() {
        Properties properties = new Properties();
        properties.setProperty("ulfm.fd.timeout", "2s");
        properties.setProperty("user.dir", "/");
        assertThat(Options.fromProperties(properties)).containsExactly(Map.entry("ulfm.fd.timeout", "2s"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "ulfm.fd.timeout=1ms~ulfm.fd.timeout: '1ms' is not allowed; allowed: 20ms to 24h",
                "ulfm.ft=mpi~ulfm.ft: 'mpi' is not allowed; allowed: ulfm | none",
                "ulfm.verbose=two~ulfm.verbose: 'two' is not a whole number; allowed: 0 to 1",
                "ulfm.eager.limit=64KB~ulfm.eager.limit: '64KB' is not a number of bytes, KiB, MiB or GiB;"
                        + " allowed: 0 to 64KiB",
                "ulfm.shm.dir=tmp~ulfm.shm.dir: 'tmp' is not allowed; allowed: an absolute path",
                "ulfm.shm.max=-1~ulfm.shm.max: '-1' is not allowed; allowed: 0 to 1024GiB",
                "ulfm.eager.limit=9999999999GiB~ulfm.eager.limit: '9999999999GiB' is not allowed; allowed: 0 to 64KiB"
            })
    void shouldNameOptionValueAndRangeWhenAValueIsNotAllowed(String setting, String message) {
        assertThatThrownBy(() -> Options.of(settings(setting))).hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "ulfm.eager.credit=1KiB~ulfm.eager.credit (1KiB) must not be below ulfm.eager.limit (64KiB)",
                "ulfm.inject.reset=100ms~ulfm.inject.reset (100ms) is a fault of TCP links and needs ulfm.transport=tcp,"
                        + " not auto",
                "ulfm.inject.blackhole=2s~ulfm.inject.blackhole (2s) is a fault of TCP links and needs"
                        + " ulfm.transport=tcp, not auto"
            })
    void shouldNameBothOptionsAndValuesWhenTheyDoNotFit(String setting, String message) {
        assertThatThrownBy(() -> Options.of(settings(setting))).hasMessage(message);
    }

    @Test
    void shouldHashAlikeExactlyWhenAllValuesAreAlike() {
        Options given =
                Options.of(Map.of("ulfm.fd.timeout", "7s", "ulfm.eager.limit", "16KiB", "ulfm.shm.dir", "/tmp"));
        assertThat(Options.of(given.toSettings()).hash()).isEqualTo(given.hash());
        assertThat(Options.of(Map.of("ulfm.fd.timeout", "7000ms", "ulfm.eager.limit", "16384", "ulfm.shm.dir", "/tmp"))
                        .hash())
                .isEqualTo(given.hash());
        assertThat(Options.defaults().hash()).isNotEqualTo(given.hash());
        assertThat(Options.of(Map.of("ulfm.shm.dir", "/tmp")).hash())
                .isNotEqualTo(Options.defaults().hash());
    }

    private static Map<String, String> settings(String setting) {
        int equals = setting.indexOf('=');
        return Map.of(setting.substring(0, equals), setting.substring(equals + 1));
    }

    @Test
    void shouldTurnTheDetectorOffAndLeaveTheLinksTheirTimes() {
        Options off = Options.of(Map.of("ulfm.fd", "off", "ulfm.fd.timeout", "2s"));
        assertThat(off.timing().detectorTimeoutNs()).isEqualTo(86_400_000_000_000L);
        assertThat(off.timing().heartbeatPeriodNs()).isEqualTo(28_800_000_000_000L);
        assertThat(off.timing().linkBudgetNs())
                .isEqualTo(Options.of(Map.of()).timing().linkBudgetNs());
        assertThat(off.warnings()).containsExactly("ulfm.fd.timeout has no effect, because ulfm.fd is off");
        Options again = Options.of(off.toSettings());
        assertThat(again.hash()).isEqualTo(off.hash());
        assertThat(again.warnings()).isEmpty();
    }

    @Test
    void shouldPassOnWhatIsToldOnStderr() {
        Options told = Options.of(Map.of("ulfm.ft.verbose", "2"));
        assertThat(told.rankSettings(2, false, List.of()).verbosity()).isEqualTo(2);
        assertThat(told.rankSettings(2, false, List.of()).withMajority(true).verbosity())
                .isEqualTo(2);
    }
}
