package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.ulfmj.launch.end.EndReason;
import org.ulfmj.launch.end.ProcessOutcome;
import org.ulfmj.protocol.ProcessId;

class JobLedgerTest {
    private static final ProcessId SECOND = new ProcessId(1, 1);

    @Test
    void shouldNotWaitForTheEndOfWhatTakesPartInNothingAnyMore() {
        JobLedger ledger = new JobLedger(3, true);
        ProcessId newcomer = new ProcessId(0, 1);
        for (int slot = 0; slot < 3; slot++) {
            ledger.started(ProcessId.of(slot));
            ledger.joined(ProcessId.of(slot));
        }
        ledger.formed();
        ledger.left(ProcessId.of(1), "preempted");
        ledger.finalized(ProcessId.of(2), Set.of());
        ledger.died(ProcessId.of(0));
        ledger.started(newcomer);
        assertThat(ledger.mayTakePart(newcomer)).as("it has not joined").isFalse();
        ledger.joined(newcomer);
        assertThat(ledger.mayTakePart(newcomer)).isTrue();
        assertThat(ledger.isRunning(newcomer)).as("a newcomer is no member").isFalse();
        for (int slot = 0; slot < 3; slot++) {
            assertThat(ledger.mayTakePart(ProcessId.of(slot))).isFalse();
        }
    }

    @Test
    void shouldKnowWhetherOneThatHasLeftHadHandledTheSignal() {
        JobLedger ledger = new JobLedger(2, true);
        for (int slot = 0; slot < 2; slot++) {
            ledger.started(ProcessId.of(slot));
            ledger.joined(ProcessId.of(slot));
        }
        ledger.formed();
        ledger.left(ProcessId.of(0), "preempted");
        ledger.left(ProcessId.of(1), "preempted, and its handler threw java.io.IOException");
        for (int slot = 0; slot < 2; slot++) {
            assertThat(ledger.hasLeft(ProcessId.of(slot))).isTrue();
            ledger.ended(ProcessId.of(slot), 143);
        }
        assertThat(ledger.outcomes())
                .extracting(ProcessOutcome::hasSaved)
                .as("have saved their work")
                .containsExactly(true, false);
    }

    @Test
    void shouldEndTheJobAtTheFirstFailureWhenNoProcessCalledInit() {
        JobLedger ledger = started(2, true);
        assertThat(ledger.ended(ProcessId.of(0), 0)).isNull();
        assertThat(ledger.ended(ProcessId.of(1), 3)).isEqualTo(EndReason.failure("rank 1 exited with code 3"));
        assertThat(ledger.haveAllEnded()).isTrue();
    }

    @Test
    void shouldGoOnAfterADeathWhenTheWorldIsFormedAndSurvivesFailures() {
        JobLedger ledger = formed(2, true);
        assertThat(ledger.ended(ProcessId.of(1), 137)).isNull();
        assertThat(ledger.haveAllEnded()).isFalse();
    }

    @Test
    void shouldEndTheJobAtADeathWhenItDoesNotSurviveFailures() {
        JobLedger ledger = formed(2, false);
        assertThat(ledger.ended(ProcessId.of(1), 137))
                .isEqualTo(EndReason.failure("rank 1 was killed by signal 9 (KILL)"));
    }

    @Test
    void shouldEndTheJobWhenAProcessLeavesWithoutFinalizeAndItDoesNotSurviveFailures() {
        JobLedger ledger = formed(2, false);
        ledger.finalized(ProcessId.of(0), Set.of());
        assertThat(ledger.ended(ProcessId.of(0), 0)).isNull();
        assertThat(ledger.ended(ProcessId.of(1), 0))
                .isEqualTo(EndReason.failure("rank 1 exited with code 0 without having called Finalize"));
    }

    @Test
    void shouldEndTheJobWhenAProcessEndsBeforeInitThatOthersCalled() {
        JobLedger ledger = started(3, true);
        ledger.joined(ProcessId.of(0));
        assertThat(ledger.ended(ProcessId.of(2), 0))
                .isEqualTo(
                        EndReason.notFormed("rank 2 ended before MPI.Init (exited with code 0), and the others cannot"
                                + " begin without it"));
    }

    @Test
    void shouldEndTheJobWhenOneCallsInitAfterAnotherHadEndedWithout() {
        JobLedger ledger = started(3, true);
        assertThat(ledger.ended(ProcessId.of(1), 0)).isNull();
        assertThat(ledger.joined(ProcessId.of(0)))
                .isEqualTo(
                        EndReason.notFormed("rank 1 ended before MPI.Init (exited with code 0), and the others cannot"
                                + " begin without it"));
    }

    @Test
    void shouldEndTheJobWhenAProcessDiesBeforeAllHaveJoined() {
        JobLedger ledger = started(2, true);
        ledger.joined(ProcessId.of(0));
        ledger.joined(ProcessId.of(1));
        assertThat(ledger.ended(ProcessId.of(1), 137))
                .isEqualTo(EndReason.notFormed("rank 1 was killed by signal 9 (KILL) during MPI.Init"));
    }

    @Test
    void shouldReportWhatTheSurvivorsHeldForFailedAndWhoWasTold() {
        JobLedger ledger = formed(3, true);
        ledger.ended(ProcessId.of(1), 137);
        ledger.finalized(ProcessId.of(0), Set.of(1));
        ledger.ended(ProcessId.of(0), 0);
        ledger.toldToEnd();
        ledger.ended(ProcessId.of(2), 143);
        assertThat(ledger.outcomes())
                .containsExactly(
                        new ProcessOutcome(ProcessId.of(0), 0, true, true, true, false, false, false),
                        new ProcessOutcome(ProcessId.of(1), 137, true, true, false, false, true, false),
                        new ProcessOutcome(ProcessId.of(2), 143, true, true, false, false, false, true));
    }

    @Test
    void shouldCountTheEndOfOneThatWasDeadBeforeTheOthersWereTold() {
        JobLedger ledger = started(2, true);
        assertThat(ledger.hasAnybodyDied()).isFalse();
        assertThat(ledger.died(ProcessId.of(1))).isTrue();
        assertThat(ledger.died(ProcessId.of(1))).isFalse();
        assertThat(ledger.hasAnybodyDied()).isTrue();
        ledger.toldToEnd();
        ledger.ended(ProcessId.of(1), 7);
        ledger.ended(ProcessId.of(0), 9);
        assertThat(ledger.outcomes())
                .extracting(ProcessOutcome::isEndedByLauncher)
                .containsExactly(true, false);
    }

    @Test
    void shouldWaitOnlyForWhatWasStarted() {
        JobLedger ledger = new JobLedger(3, true);
        ledger.started(ProcessId.of(0));
        ledger.ended(ProcessId.of(0), 0);
        assertThat(ledger.haveAllEnded()).isTrue();
    }

    @Test
    void shouldGoOnBeforeInitWhenTheSlotWillHaveAnotherProcess() {
        JobLedger ledger = started(2, true);
        assertThat(ledger.ended(ProcessId.of(1), 3)).isEqualTo(EndReason.failure("rank 1 exited with code 3"));
        ledger.awaitsNext(1);
        ledger.ended(ProcessId.of(0), 0);
        assertThat(ledger.haveAllEnded()).isFalse();
        ledger.started(SECOND);
        assertThat(ledger.haveAllEnded()).isFalse();
        ledger.ended(SECOND, 0);
        assertThat(ledger.haveAllEnded()).isTrue();
        assertThat(ledger.outcomes()).extracting(ProcessOutcome::isMember).containsExactly(true, false, true);
    }

    @Test
    void shouldNotBlameOneThatWillHaveAnotherProcessWhenOthersJoin() {
        JobLedger ledger = started(2, true);
        ledger.ended(ProcessId.of(1), 3);
        ledger.awaitsNext(1);
        assertThat(ledger.joined(ProcessId.of(0))).isNull();
        ledger.started(SECOND);
        assertThat(ledger.joined(SECOND)).isNull();
        ledger.formed();
        assertThat(ledger.member(1)).isEqualTo(SECOND);
    }

    @Test
    void shouldCountANewcomerFromTheMomentThatTheWorldHasTakenItIn() {
        JobLedger ledger = formed(2, true);
        ledger.ended(ProcessId.of(1), 137);
        ledger.started(SECOND);
        ledger.joined(SECOND);
        assertThat(ledger.isRunning(SECOND)).isFalse();
        assertThat(ledger.standing(1))
                .isEqualTo("was killed by signal 9 (KILL); rank 1'1 waits in MPI.Init to take its place");
        ledger.committed(1, Map.of(0, 0, 1, 1));
        assertThat(ledger.isRunning(SECOND)).isTrue();
        assertThat(ledger.isMember(ProcessId.of(1))).isFalse();
        ledger.committed(1, Map.of(0, 0, 1, 0));
        assertThat(ledger.member(1)).as("said late of the same epoch").isEqualTo(SECOND);
    }

    @Test
    void shouldHoldForFailedWhomTheWorldOfTheOneThatFinalizedHad() {
        JobLedger ledger = formed(2, true);
        ledger.ended(ProcessId.of(1), 137);
        ledger.started(SECOND);
        ledger.committed(1, Map.of(0, 0, 1, 1));
        ledger.ended(SECOND, 5);
        ledger.finalized(ProcessId.of(0), Set.of(1));
        ledger.ended(ProcessId.of(0), 0);
        assertThat(ledger.outcomes())
                .containsExactly(
                        new ProcessOutcome(ProcessId.of(0), 0, true, true, true, false, false, false),
                        new ProcessOutcome(ProcessId.of(1), 137, false, true, false, false, false, false),
                        new ProcessOutcome(SECOND, 5, true, false, false, false, true, false));
    }

    @Test
    void shouldBeOverWhenTheMembersHaveEndedAndOneHadFinalizedThoughOthersStillWait() {
        JobLedger ledger = formed(2, true);
        ledger.ended(ProcessId.of(1), 137);
        ledger.started(SECOND);
        assertThat(ledger.isOver()).isFalse();
        ledger.finalized(ProcessId.of(0), Set.of(1));
        assertThat(ledger.isOver()).as("rank 0 runs").isFalse();
        ledger.ended(ProcessId.of(0), 0);
        assertThat(ledger.isOver()).isTrue();
        assertThat(ledger.haveAllEnded()).isFalse();
    }

    @Test
    void shouldNotBeOverWhenAllMembersHaveDiedAndOthersAreStarted() {
        JobLedger ledger = formed(1, true);
        ledger.ended(ProcessId.of(0), 137);
        ledger.awaitsNext(0);
        assertThat(ledger.isOver()).isFalse();
        assertThat(ledger.haveAllEnded()).isFalse();
        ledger.worldGone();
        ledger.started(new ProcessId(0, 1));
        ledger.joined(new ProcessId(0, 1));
        ledger.formed();
        assertThat(ledger.member(0)).isEqualTo(new ProcessId(0, 1));
        assertThat(ledger.isRunning(new ProcessId(0, 1))).isTrue();
    }

    @Test
    void shouldSayHowFarAMemberIsThatRuns() {
        JobLedger ledger = new JobLedger(2, true);
        assertThat(ledger.standing(0)).isEqualTo("has not been started");
        ledger.started(ProcessId.of(0));
        ledger.started(ProcessId.of(1));
        assertThat(ledger.standing(0)).isEqualTo("has not called MPI.Init");
        ledger.joined(ProcessId.of(0));
        assertThat(ledger.standing(0)).isEqualTo("is in MPI.Init, until all have called it");
        ledger.joined(ProcessId.of(1));
        ledger.formed();
        assertThat(ledger.standing(0)).isEqualTo("has called MPI.Init");
    }

    @Test
    void shouldNotWaitForWhatNothingEndsAndCountItAsKilled() {
        JobLedger ledger = formed(2, true);
        ledger.givenUp(ProcessId.of(1));
        assertThat(ledger.isGone(ProcessId.of(1))).isTrue();
        assertThat(ledger.isRunning(ProcessId.of(1))).isFalse();
        assertThat(ledger.standing(1)).isEqualTo("is not ended by SIGKILL; no process waits for it");
        ledger.finalized(ProcessId.of(0), Set.of(1));
        ledger.ended(ProcessId.of(0), 0);
        assertThat(ledger.isOver()).isTrue();
        assertThat(ledger.haveAllEnded()).isTrue();
        assertThat(ledger.outcomes())
                .containsExactly(
                        new ProcessOutcome(ProcessId.of(0), 0, true, true, true, false, false, false),
                        new ProcessOutcome(ProcessId.of(1), 137, true, true, false, false, true, false));
        assertThat(ledger.died(ProcessId.of(1))).as("its death is news yet").isTrue();
    }

    private static JobLedger started(int size, boolean isFaultTolerant) {
        JobLedger ledger = new JobLedger(size, isFaultTolerant);
        for (int slot = 0; slot < size; slot++) {
            ledger.started(ProcessId.of(slot));
        }
        return ledger;
    }

    private static JobLedger formed(int size, boolean isFaultTolerant) {
        JobLedger ledger = started(size, isFaultTolerant);
        for (int slot = 0; slot < size; slot++) {
            ledger.joined(ProcessId.of(slot));
        }
        ledger.formed();
        return ledger;
    }
}
