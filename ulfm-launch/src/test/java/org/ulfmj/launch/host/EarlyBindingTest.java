package org.ulfmj.launch.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.protocol.ProcessId;

/**
 * Tests the early binding with processes that use as much processor time as the test says; the test also sets the
 * clock.
 */
class EarlyBindingTest {
    private static final long MS = 1_000_000;
    private static final long BUSY_TICKS = 20;

    private final Map<Long, Long> ticks = new HashMap<>();
    private final List<Long> released = new ArrayList<>();
    private final List<Process> children = new ArrayList<>();
    private final EarlyBinding early = new EarlyBinding(true, pid -> ticks.getOrDefault(pid, 0L), released::add);

    @AfterEach
    void endChildren() {
        children.forEach(Process::destroyForcibly);
    }

    private long start(int slot, long nowNs) throws IOException {
        Process child = new ProcessBuilder("sleep", "60").start();
        children.add(child);
        early.started(RankProcess.of(ProcessId.of(slot), child), nowNs);
        return child.pid();
    }

    private void lookAt(long nowMs, long pid, long usedTicks, long other, long otherTicks) {
        ticks.merge(pid, usedTicks, Long::sum);
        ticks.merge(other, otherTicks, Long::sum);
        early.tick(nowMs * MS);
    }

    @Test
    void shouldReleaseBusyProcessesTwiceAfterTheirFirstSeconds() throws Exception {
        long first = start(0, 0);
        long second = start(1, 500 * MS);
        early.formed(1_000 * MS);
        for (long ms = 1_200; ms < 4_000; ms += 200) {
            lookAt(ms, first, BUSY_TICKS, second, BUSY_TICKS);
            assertThat(released).as("%d ms", ms).isEmpty();
        }
        lookAt(4_000, first, BUSY_TICKS, second, BUSY_TICKS);
        assertThat(released).containsExactly(first);
        lookAt(4_500, first, BUSY_TICKS, second, BUSY_TICKS);
        lookAt(5_000, first, BUSY_TICKS, second, BUSY_TICKS);
        lookAt(5_500, first, BUSY_TICKS, second, BUSY_TICKS);
        assertThat(released).containsExactly(first, second, first, second);
        assertThat(early.deadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldReleaseAllWhenOneLeavesItsCoreIdle() throws Exception {
        long first = start(0, 0);
        long second = start(1, 0);
        early.formed(300 * MS);
        lookAt(500, first, BUSY_TICKS, second, BUSY_TICKS);
        assertThat(released).isEmpty();
        lookAt(700, first, 5, second, BUSY_TICKS);
        assertThat(released).containsExactlyInAnyOrder(first, second);
        assertThat(early.deadlineNs()).isEqualTo(1_700 * MS);
        lookAt(1_700, first, 0, second, 0);
        assertThat(released).hasSize(4);
    }

    @Test
    void shouldReleaseALaterProcessAtOnceWhereOneWasSeenIdle() throws Exception {
        long first = start(0, 0);
        long second = start(1, 0);
        early.formed(0);
        lookAt(200, first, 0, second, BUSY_TICKS);
        released.clear();
        long next = start(1, 800 * MS);
        early.tick(800 * MS);
        assertThat(released).containsExactly(next);
    }

    @Test
    void shouldNotTakeProcessesForIdleThatWaitForEachOther() throws Exception {
        long first = start(0, 0);
        long second = start(1, 0);
        lookAt(3_000, first, 0, second, 0);
        assertThat(released).isEmpty();
        assertThat(early.deadlineNs()).isEqualTo(4_000 * MS);
    }

    @Test
    void shouldHaveNothingToDoWithoutAnEarlyBinding() throws Exception {
        EarlyBinding none = new EarlyBinding(false, pid -> 0, released::add);
        none.started(RankProcess.of(ProcessId.of(0), new ProcessBuilder("true").start()), 0);
        none.formed(0);
        assertThat(none.deadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldForgetAProcessThatHasEnded() throws Exception {
        start(0, 0);
        children.get(0).destroyForcibly().waitFor();
        early.tick(4_000 * MS);
        assertThat(released).isEmpty();
        assertThat(early.deadlineNs()).isEqualTo(Long.MAX_VALUE);
    }
}
