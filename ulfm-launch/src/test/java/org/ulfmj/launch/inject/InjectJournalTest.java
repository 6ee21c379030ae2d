package org.ulfmj.launch.inject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.ulfmj.launch.command.Expectations;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.inject.FaultMarks;
import org.ulfmj.runtime.inject.InjectPlan;
import org.ulfmj.runtime.inject.PlannedFault;

class InjectJournalTest {
    private static final long MS = 1_000_000;

    private final InjectJournal journal = open();

    private static InjectJournal open() {
        try {
            return new InjectJournal(null, 3_000 * MS);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldTellHowSoonAFailureWasDetectedAndRecoveredFrom() {
        happens("kill:rank=3@t=1s", 1_000);
        journal.died(ProcessId.of(3), 1_001 * MS);
        journal.marked(ProcessId.of(0), FaultMarks.failed(3), 1_002 * MS);
        journal.marked(ProcessId.of(1), FaultMarks.failed(3), 1_005 * MS);
        journal.marked(ProcessId.of(1), FaultMarks.failed(3), 1_900 * MS);
        journal.marked(ProcessId.of(0), FaultMarks.recovered(3), 1_030 * MS);

        assertThat(journal.report(dead(3)))
                .containsExactly("kill:rank=3@t=1s: rank failed; detected by 2 after 2.0 ms to 5.0 ms; recovered by 1"
                        + " after 30.0 ms");
        assertThat(differences("exit=0,dead={3},detect<6ms,recover<31ms,no-false-positive", 0, 3))
                .isEmpty();
        assertThat(differences("exit=0,dead={2,3},detect<5ms,recover<30ms", 137, 3))
                .containsExactly(
                        "expected exit=0, got exit=137",
                        "expected dead={2,3}, got dead={3}",
                        "expected detect<5ms, got 5.0 ms for rank 3",
                        "expected recover<30ms, got 30.0 ms for rank 3");
    }

    @Test
    void shouldNameFailuresForWhichNoFaultIsReason() {
        happens("hang:rank=2@t=1s", 1_000);
        happens("stop:rank=1@t=1s..2s", 1_000);
        happens("reset:link=0-1@t=1s", 1_000);
        happens("blackhole:link=0-3@t=1s..2s", 1_000);
        assertThat(differences("no-false-positive", 0, 1, 2, 3))
                .containsExactly("expected no-false-positive, got dead={1,2,3}, for which no fault was planned");
        happens("stop:rank=1@t=1s..9s", 1_000);
        happens("blackhole:link=0-3@t=1s..9s", 1_000);
        assertThat(differences("no-false-positive", 0, 1, 3)).isEmpty();
        assertThat(differences("detect<1s", 0, 1)).containsExactly("expected detect<1s, got never for rank 1");
        assertThat(journal.report(dead(2)))
                .contains("hang:rank=2@t=1s: rank failed by another fault", "reset:link=0-1@t=1s: no rank failed");
        assertThat(journal.report(dead(3))).contains("blackhole:link=0-3@t=1s..9s: ranks that failed: [3]");
    }

    @Test
    void shouldRefuseALogThatCannotBeWritten() {
        Path nowhere = Path.of("/no/such/directory/log");
        assertThatThrownBy(() -> new InjectJournal(nowhere.toString(), 1)).isInstanceOf(IOException.class);
    }

    private int number;

    private void happens(String rule, long atMs) {
        PlannedFault fault = InjectPlan.read(++number, rule, 4);
        ProcessId target = fault.rank() < 0 ? ProcessId.of(0) : ProcessId.of(fault.rank());
        journal.happened(fault, target, 0, atMs * MS, "done");
    }

    private List<String> differences(String expected, int exitCode, Integer... dead) {
        return journal.differences(Expectations.of(expected, 4), exitCode, dead(dead));
    }

    private static SortedSet<Integer> dead(Integer... slots) {
        return new TreeSet<>(Set.of(slots));
    }
}
