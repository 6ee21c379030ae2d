package org.ulfmj.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.transport.host.ProcessStat;

class TerminalInputTest {
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "17 (java) S 1 17 9 34816 17 0, false",
        "17 (java) S 1 17 9 34816 9 0, true",
        "17 (a ) b) S 1 17 9 34816 9 0, true",
        "17 (java) S 1 17 9 0 -1 0, false"
    })
    void shouldKnowWhetherTheTerminalIsForAnotherGroup(String stat, boolean isInBackground) {
        assertThat(TerminalInput.isInBackground(ProcessStat.parse(stat))).isEqualTo(isInBackground);
    }
}
