package org.ulfmj.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ProcessIdTest {
    @Test
    void shouldReadAsSlotAndPrimedIncarnation() {
        assertThat(ProcessId.of(3)).hasToString("3").isEqualTo(new ProcessId(3, 0));
        assertThat(new ProcessId(3, 2)).hasToString("3'2");
    }

    @Test
    void shouldOrderBySlotThenIncarnation() {
        assertThat(new ProcessId(1, 9)).isLessThan(new ProcessId(2, 0));
        assertThat(new ProcessId(2, 0)).isLessThan(new ProcessId(2, 1));
        assertThat(new ProcessId(2, 1)).isEqualByComparingTo(new ProcessId(2, 1));
    }

    @Test
    void shouldRefuseNegativeNumbers() {
        assertThatThrownBy(() -> new ProcessId(-1, 0)).hasMessage("slot -1 is negative");
        assertThatThrownBy(() -> new ProcessId(0, -2)).hasMessage("incarnation -2 is negative");
    }
}
