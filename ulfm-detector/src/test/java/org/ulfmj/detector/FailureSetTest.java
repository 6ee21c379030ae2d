package org.ulfmj.detector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

class FailureSetTest {
    private static final Evidence SUSPECTED =
            new Evidence(Evidence.Kind.SUSPECTED, ProcessId.of(0), "no heartbeat for 5 s");
    private static final Evidence CERTAIN =
            new Evidence(Evidence.Kind.CERTAIN, ProcessId.of(1), "process 4711 ended by signal 9");

    private final FailureSet failures = new FailureSet();

    @Test
    void shouldKeepTheFirstEvidenceAndTimeWhenMarkedTwice() {
        assertThat(failures.markFailed(ProcessId.of(3), SUSPECTED, 10)).isTrue();
        assertThat(failures.markFailed(ProcessId.of(3), CERTAIN, 20)).isFalse();

        assertThat(failures.hasFailed(ProcessId.of(3))).isTrue();
        assertThat(failures.evidence(ProcessId.of(3))).isEqualTo(SUSPECTED);
        assertThat(failures.failedAtNs(ProcessId.of(3))).isEqualTo(10);
    }

    @Test
    void shouldListFailuresInTheOrderTheyWereMarkedInOneGrowingView() {
        List<ProcessId> view = failures.failedInOrder();
        failures.markFailed(ProcessId.of(4), CERTAIN, 1);
        assertThat(view).containsExactly(ProcessId.of(4));
        failures.markFailed(ProcessId.of(2), CERTAIN, 2);
        assertThat(view).containsExactly(ProcessId.of(4), ProcessId.of(2));
        assertThatThrownBy(() -> view.add(ProcessId.of(1))).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void shouldIgnoreTheGoodbyeOfAFailedProcess() {
        failures.markFailed(ProcessId.of(1), SUSPECTED, 1);
        assertThat(failures.markDeparted(ProcessId.of(1))).isFalse();
        assertThat(failures.hasDeparted(ProcessId.of(1))).isFalse();
    }

    @Test
    void shouldStillMarkADepartedProcessFailed() {
        assertThat(failures.markDeparted(ProcessId.of(1))).isTrue();
        assertThat(failures.markDeparted(ProcessId.of(1))).isFalse();
        assertThat(failures.isGone(ProcessId.of(1))).isTrue();
        assertThat(failures.hasFailed(ProcessId.of(1))).isFalse();

        assertThat(failures.markFailed(ProcessId.of(1), SUSPECTED, 1)).isTrue();
        assertThat(failures.hasFailed(ProcessId.of(1))).isTrue();
    }

    @Test
    void shouldTellIncarnationsApart() {
        failures.markFailed(new ProcessId(2, 0), CERTAIN, 1);
        Membership replaced = Membership.of(1, SlotRuns.range(4), Map.of(2, 1));

        assertThat(failures.hasFailed(new ProcessId(2, 1))).isFalse();
        assertThat(failures.failedAmong(SlotRuns.range(4), Membership.initial(4)))
                .isEqualTo(SlotSet.of(2));
        assertThat(failures.failedAmong(SlotRuns.range(4), replaced)).isEqualTo(SlotSet.EMPTY);
    }

    @Test
    void shouldListOnlyMembers() {
        failures.markFailed(ProcessId.of(1), CERTAIN, 1);
        failures.markFailed(ProcessId.of(5), CERTAIN, 2);
        failures.markDeparted(ProcessId.of(3));
        Membership world = Membership.initial(8);

        assertThat(failures.failedAmong(SlotRuns.of(0, 1, 2, 3), world)).isEqualTo(SlotSet.of(1));
        assertThat(failures.goneAmong(SlotRuns.of(0, 1, 2, 3), world)).isEqualTo(SlotSet.of(1, 3));
        assertThat(failures.goneAmong(SlotRuns.range(8), world)).isEqualTo(SlotSet.of(1, 3, 5));
    }

    @Test
    void shouldListAProcessOnceThatDepartedAndWasThenMarked() {
        failures.markDeparted(ProcessId.of(1));
        failures.markFailed(ProcessId.of(1), SUSPECTED, 1);
        assertThat(failures.goneAmong(SlotRuns.range(3), Membership.initial(3))).isEqualTo(SlotSet.of(1));
    }

    @Test
    void shouldRefuseToDateWhatDidNotHappen() {
        assertThat(failures.evidence(ProcessId.of(1))).isNull();
        assertThatThrownBy(() -> failures.failedAtNs(ProcessId.of(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("process 1 is not held for failed");
    }

    @Test
    void shouldDescribeItself() {
        failures.markFailed(ProcessId.of(4), CERTAIN, 1);
        assertThat(failures).hasToString("failed [4]");
        failures.markDeparted(new ProcessId(2, 1));
        assertThat(failures).hasToString("failed [4] departed [2'1]");
    }

    @Test
    void shouldHoldTheProcessThatHadASlotForFailedOnceAnEpochHasAnother() {
        Membership next = Membership.of(1, SlotRuns.range(3), Map.of(1, 2));
        failures.enter(next, List.of(next), 5);

        assertThat(failures.hasFailed(ProcessId.of(1))).isTrue();
        assertThat(failures.hasFailed(new ProcessId(1, 1))).isTrue();
        assertThat(failures.hasFailed(new ProcessId(1, 2))).isFalse();
        assertThat(failures.hasFailed(ProcessId.of(0))).isFalse();
        assertThat(failures.markFailed(ProcessId.of(1), CERTAIN, 6)).isFalse();
        assertThat(failures.evidence(ProcessId.of(1)).reason()).isEqualTo("another process has its place since");
        assertThat(failures.failedAtNs(ProcessId.of(1))).isEqualTo(5);
        assertThat(failures.failedAmong(next.slots(), next)).isEqualTo(SlotSet.EMPTY);
        assertThat(failures.failedAmong(next.slots(), Membership.initial(3))).isEqualTo(SlotSet.of(1));
    }

    @Test
    void shouldKeepTheMarksOfEpochsInUseAndNoOthers() {
        Membership first = Membership.initial(3);
        failures.markFailed(ProcessId.of(2), CERTAIN, 1);
        failures.markFailed(ProcessId.of(1), SUSPECTED, 2);
        Membership second = Membership.of(1, SlotRuns.range(3), Map.of(1, 1, 2, 1));
        failures.enter(second, List.of(first, second), 3);
        assertThat(failures.failedInOrder()).containsExactly(ProcessId.of(2), ProcessId.of(1));
        assertThat(failures.evidence(ProcessId.of(1))).isEqualTo(SUSPECTED);

        failures.markFailed(new ProcessId(2, 1), CERTAIN, 4);
        Membership third = Membership.of(2, SlotRuns.range(3), Map.of(1, 1, 2, 2));
        failures.enter(third, List.of(third), 5);
        assertThat(failures.failedInOrder()).isEmpty();
        assertThat(failures.hasFailed(ProcessId.of(1))).isTrue();
        assertThat(failures.hasFailed(new ProcessId(2, 1))).isTrue();
    }
}
