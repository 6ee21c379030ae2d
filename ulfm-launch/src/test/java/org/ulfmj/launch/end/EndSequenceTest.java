package org.ulfmj.launch.end;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EndSequenceTest {
    private static final long MS = 1_000_000;
    private static final long GRACE_NS = 3_000 * MS;
    private static final EndReason TIMEOUT = new EndReason(EndReason.Kind.TIMEOUT, 0, "");

    @Test
    void shouldLetFurtherFailuresHappenBeforeItTellsTheOthers() {
        EndSequence end = new EndSequence(EndReason.failure(""), false, true, GRACE_NS, 0);
        assertThat(end.due(199 * MS)).isNull();
        assertThat(end.deadlineNs()).isEqualTo(200 * MS);
        assertThat(end.due(200 * MS)).isEqualTo(EndSequence.Action.TERMINATE);
        assertThat(end.due(3_199 * MS)).isNull();
        assertThat(end.due(3_200 * MS)).isEqualTo(EndSequence.Action.SWEEP);
        assertThat(end.isOver(3_200 * MS)).isFalse();
        assertThat(end.isOver(end.deadlineNs())).isTrue();
    }

    @Test
    void shouldAskVirtualMachinesForTheirStacksWhenTheTimeIsOver() {
        EndSequence end = new EndSequence(TIMEOUT, false, true, GRACE_NS, 0);
        assertThat(end.due(0)).isEqualTo(EndSequence.Action.DUMP);
        assertThat(end.due(999 * MS)).isNull();
        assertThat(end.due(1_000 * MS)).isEqualTo(EndSequence.Action.TERMINATE);
    }

    @Test
    void shouldAskWhoWaitsForWhomBeforeAnythingElseWhenTheTimeIsOver() {
        EndSequence end = new EndSequence(TIMEOUT, true, true, GRACE_NS, 0);
        assertThat(end.due(0)).isEqualTo(EndSequence.Action.ASK);
        assertThat(end.due(1_099 * MS)).isNull();
        assertThat(end.due(1_100 * MS)).isEqualTo(EndSequence.Action.DUMP);
        assertThat(end.due(2_100 * MS)).isEqualTo(EndSequence.Action.TERMINATE);
    }

    @Test
    void shouldNotAskAgainWhoWaitsForWhomWhenTheAnswersHaveShownAHungProgram() {
        EndSequence end = new EndSequence(EndReason.hung(""), true, true, GRACE_NS, 0);
        assertThat(end.due(0)).isEqualTo(EndSequence.Action.DUMP);
        assertThat(end.due(1_000 * MS)).isEqualTo(EndSequence.Action.TERMINATE);
    }

    @Test
    void shouldSendNoQuitToWhatIsNoVirtualMachine() {
        assertThat(new EndSequence(TIMEOUT, false, false, GRACE_NS, 0).due(0)).isEqualTo(EndSequence.Action.TERMINATE);
    }

    /**
     * The ranks of a minority must not decide anything any more, so they are killed at once. The sequence is over a
     * second later.
     */
    @Test
    void shouldKillAtOnceInTheMinority() {
        EndSequence end = new EndSequence(EndReason.minority(2, 6), true, true, GRACE_NS, 0);
        assertThat(end.due(0)).isEqualTo(EndSequence.Action.SWEEP);
        assertThat(end.isOver(999 * MS)).isFalse();
        assertThat(end.isOver(1_000 * MS)).isTrue();
        assertThat(end.reason().message())
                .isEqualTo("only 2 of 6 ranks are reached, and ulfm.ft.quorum=majority lets only more than half of them"
                        + " go on; the others may do so without mpiexec");
    }

    @Test
    void shouldPassOnTheSignalThatCame() {
        assertThat(new EndSequence(EndReason.signal(2, ""), false, true, GRACE_NS, 0).due(0))
                .isEqualTo(EndSequence.Action.INTERRUPT);
        assertThat(new EndSequence(EndReason.signal(15, ""), false, true, GRACE_NS, 0).due(0))
                .isEqualTo(EndSequence.Action.TERMINATE);
    }

    @Test
    void shouldKillAtOnceWhenAskedTwice() {
        EndSequence end = new EndSequence(EndReason.signal(2, ""), false, true, GRACE_NS, 0);
        end.due(0);
        end.hurry(50 * MS);
        assertThat(end.due(50 * MS)).isEqualTo(EndSequence.Action.SWEEP);
        assertThat(end.due(GRACE_NS)).isNull();
    }

    @Test
    void shouldWaitForTheDeadNoLongerWhenAskedOnceMore() {
        EndSequence end = new EndSequence(EndReason.signal(2, ""), false, true, GRACE_NS, 0);
        end.due(0);
        end.hurry(50 * MS);
        end.due(50 * MS);
        assertThat(end.isOver(60 * MS)).isFalse();
        end.hurry(60 * MS);
        assertThat(end.deadlineNs()).isEqualTo(60 * MS);
        assertThat(end.isOver(60 * MS)).isTrue();
    }
}
