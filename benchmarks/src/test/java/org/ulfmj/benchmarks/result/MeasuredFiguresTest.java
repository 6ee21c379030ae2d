package org.ulfmj.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MeasuredFiguresTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0.12345|0.123", "1.2345|1.23", "12.345|12.3", "123.45|123", "12345.6|12,346", "NaN|-"})
    void shouldWriteAboutThreeDigits(double value, String text) {
        assertThat(MeasuredFigures.of(value)).isEqualTo(text);
    }

    @Test
    void shouldWriteFactorsAsTheyAre() {
        assertThat(MeasuredFigures.factor(2)).isEqualTo("2");
        assertThat(MeasuredFigures.factor(0.35)).isEqualTo("0.35");
    }

    @ParameterizedTest
    @CsvSource({
        "shm/2/pp:8,µs",
        "profile/2/agree,%",
        "memory/2/hello,KiB",
        "processor/2/waiting,µs/s",
        "allocation/2/send,B"
    })
    void shouldNameTheUnitOfAGroup(String place, String unit) {
        assertThat(MeasuredFigures.unit(place)).isEqualTo(unit);
    }
}
