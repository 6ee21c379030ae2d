package org.ulfmj.runtime.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "7ns,7",
        "20us,20000",
        "500ms,500000000",
        "1.5s,1500000000",
        "0.001ms,1000",
        "2min,120000000000",
        "1h,3600000000000",
        "' 3 s ',3000000000",
        "0s,0"
    })
    void shouldReadNumberAndUnit(String text, long expectedNs) {
        assertThat(Durations.parseNs("ulfm.x", text)).isEqualTo(expectedNs);
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "", "s", "-1s", "1.2.3s", "5 seconds", "1e9s", "9999999999h", "."})
    void shouldRefuseWhatIsNoDurationAndSayHowToWriteOne(String text) {
        assertThatThrownBy(() -> Durations.parseNs("ulfm.fd.timeout", text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("ulfm.fd.timeout: '" + text
                        + "' is not a duration; write a number and one of ns, us, ms, s, min, h, as in 500ms or 1.5s");
    }

    @Test
    void shouldWriteTheLargestExactUnit() {
        assertThat(Durations.text(1_500_000_000)).isEqualTo("1500ms");
        assertThat(Durations.text(5_000_000_000L)).isEqualTo("5s");
        assertThat(Durations.text(120_000_000_000L)).isEqualTo("2min");
        assertThat(Durations.text(7)).isEqualTo("7ns");
        assertThat(Durations.text(0)).isEqualTo("0s");
    }
}
