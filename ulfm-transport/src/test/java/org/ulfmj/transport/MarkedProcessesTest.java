package org.ulfmj.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;

class MarkedProcessesTest {
    private final MarkedProcesses tombstones = new MarkedProcesses();

    @Test
    void shouldCoverAllUpToTheLastThatIsOver() {
        tombstones.add(new ProcessId(3, 2));
        tombstones.add(new ProcessId(3, 1));

        assertThat(tombstones.cover(ProcessId.of(3))).isTrue();
        assertThat(tombstones.cover(new ProcessId(3, 2))).isTrue();
        assertThat(tombstones.cover(new ProcessId(3, 3))).isFalse();
        assertThat(tombstones.cover(ProcessId.of(2))).isFalse();
    }

    @Test
    void shouldLeaveOutASuccessorItself() {
        tombstones.addBefore(ProcessId.of(1));
        tombstones.addBefore(new ProcessId(3, 2));

        assertThat(tombstones.cover(ProcessId.of(1))).isFalse();
        assertThat(tombstones.cover(new ProcessId(3, 1))).isTrue();
        assertThat(tombstones.cover(new ProcessId(3, 2))).isFalse();
    }
}
