package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class JobLedgerTest {
    @Test
    void shouldEndTheJobAtTheFirstFailureWhenNobodyCalledInit() {
        JobLedger ledger = started(2, true);
        assertThat(ledger.ended(0, 0)).isNull();
        assertThat(ledger.ended(1, 3)).isEqualTo(EndReason.failure("rank 1 exited with code 3"));
        assertThat(ledger.haveAllEnded()).isTrue();
    }

    @Test
    void shouldGoOnAfterADeathWhenTheWorldIsFormedAndSurvivesFailures() {
        JobLedger ledger = formed(2, true);
        assertThat(ledger.ended(1, 137)).isNull();
        assertThat(ledger.haveAllEnded()).isFalse();
    }

    @Test
    void shouldEndTheJobAtADeathWhenItDoesNotSurviveFailures() {
        JobLedger ledger = formed(2, false);
        assertThat(ledger.ended(1, 137)).isEqualTo(EndReason.failure("rank 1 was killed by signal 9 (KILL)"));
    }

    @Test
    void shouldEndTheJobWhenAProcessLeavesWithoutFinalizeAndItDoesNotSurviveFailures() {
        JobLedger ledger = formed(2, false);
        ledger.finalized(0, Set.of());
        assertThat(ledger.ended(0, 0)).isNull();
        assertThat(ledger.ended(1, 0))
                .isEqualTo(EndReason.failure("rank 1 exited with code 0 without having called Finalize"));
    }

    @Test
    void shouldEndTheJobWhenAProcessEndsBeforeInitThatOthersCalled() {
        JobLedger ledger = started(3, true);
        ledger.joined(0);
        assertThat(ledger.ended(2, 0))
                .isEqualTo(
                        EndReason.notFormed("rank 2 ended before MPI.Init (exited with code 0), and the others cannot"
                                + " begin without it"));
    }

    @Test
    void shouldEndTheJobWhenOneCallsInitAfterAnotherHadEndedWithout() {
        JobLedger ledger = started(3, true);
        assertThat(ledger.ended(1, 0)).isNull();
        assertThat(ledger.joined(0))
                .isEqualTo(
                        EndReason.notFormed("rank 1 ended before MPI.Init (exited with code 0), and the others cannot"
                                + " begin without it"));
    }

    @Test
    void shouldEndTheJobWhenAProcessDiesBeforeAllHaveJoined() {
        JobLedger ledger = started(2, true);
        ledger.joined(0);
        ledger.joined(1);
        assertThat(ledger.ended(1, 137))
                .isEqualTo(EndReason.notFormed("rank 1 was killed by signal 9 (KILL) during MPI.Init"));
    }

    @Test
    void shouldReportWhatTheSurvivorsHeldForFailedAndWhoWasTold() {
        JobLedger ledger = formed(3, true);
        ledger.ended(1, 137);
        ledger.finalized(0, Set.of(1));
        ledger.ended(0, 0);
        ledger.toldToEnd();
        ledger.ended(2, 143);
        assertThat(ledger.outcomes())
                .containsExactly(
                        new SlotOutcome(0, 0, true, true, false, false),
                        new SlotOutcome(1, 137, true, false, true, false),
                        new SlotOutcome(2, 143, true, false, false, true));
    }

    @Test
    void shouldCountTheEndOfOneThatWasDeadBeforeTheOthersWereTold() {
        JobLedger ledger = started(2, true);
        assertThat(ledger.hasAnybodyDied()).isFalse();
        assertThat(ledger.died(1)).isTrue();
        assertThat(ledger.died(1)).isFalse();
        assertThat(ledger.hasAnybodyDied()).isTrue();
        ledger.toldToEnd();
        ledger.ended(1, 7);
        ledger.ended(0, 9);
        assertThat(ledger.outcomes()).extracting(SlotOutcome::isEndedByLauncher).containsExactly(true, false);
    }

    @Test
    void shouldWaitOnlyForWhatWasStarted() {
        JobLedger ledger = new JobLedger(3, true);
        ledger.started(0);
        ledger.ended(0, 0);
        assertThat(ledger.haveAllEnded()).isTrue();
    }

    private static JobLedger started(int size, boolean isFaultTolerant) {
        JobLedger ledger = new JobLedger(size, isFaultTolerant);
        for (int slot = 0; slot < size; slot++) {
            ledger.started(slot);
        }
        return ledger;
    }

    private static JobLedger formed(int size, boolean isFaultTolerant) {
        JobLedger ledger = started(size, isFaultTolerant);
        for (int slot = 0; slot < size; slot++) {
            ledger.joined(slot);
        }
        ledger.formed();
        return ledger;
    }
}
