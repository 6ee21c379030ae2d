package org.ulfmj.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CellTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "pp|1048576|pp:1m|half round trip, 1 MiB, direct buffers",
                "ppa|8|ppa:8|half round trip, 8 B, arrays",
                "pps|8|pps:8|half round trip, 8 B, slices of direct buffers",
                "ppw|8|ppw:8|half round trip, 8 B, direct buffers, rewritten before each send",
                "ppaw|1024|ppaw:1k|half round trip, 1 KiB, arrays, rewritten before each send",
                "ppsw|1048576|ppsw:1m|half round trip, 1 MiB, slices of direct buffers, rewritten before each send",
            })
    void shouldSayWhatAPingPongSends(String work, int bytes, String name, String title) {
        Cell cell = new Cell(work, bytes);

        assertThat(cell.name()).isEqualTo(name);
        assertThat(cell.title()).isEqualTo(title);
        assertThat(cell.parts()).isEqualTo(2);
    }
}
