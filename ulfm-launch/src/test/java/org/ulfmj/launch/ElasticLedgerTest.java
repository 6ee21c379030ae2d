package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.ulfmj.launch.end.EndReason;
import org.ulfmj.launch.end.ExitPolicy;
import org.ulfmj.protocol.ProcessId;

/**
 * Tests the ledger of an elastic job, whose processes have numbers, and get slots once the world lists them as members.
 */
class ElasticLedgerTest {
    private static final ProcessId FIRST = Membership.child(0);
    private static final ProcessId SECOND = Membership.child(1);
    private static final ProcessId FOREIGN = Membership.child(2);

    @Test
    void shouldNameAProcessByItsNumberUntilItHasARank() {
        JobLedger ledger = begun(Map.of(SECOND, 0));
        assertThat(ledger.title(FIRST)).isEqualTo("process 1");
        assertThat(ledger.title(SECOND)).isEqualTo("rank 0");
        assertThat(ledger.ofRank(ProcessId.of(0))).isEqualTo(SECOND);
        assertThat(ledger.ofRank(ProcessId.of(1))).isNull();
        ledger.membersAre(1, Map.of(SECOND, 0, FIRST, 1));
        assertThat(ledger.title(FIRST)).isEqualTo("rank 1");
        ledger.membersAre(0, Map.of(FIRST, 0));
        assertThat(ledger.title(FIRST)).as("of a world that began anew").isEqualTo("rank 0");
        assertThat(ledger.isMember(SECOND)).as("its world is gone").isFalse();
    }

    @Test
    void shouldGoOnWhileEnoughProcessesAreLeftForAWorld() {
        JobLedger ledger = started(3, 2, false);
        ledger.joined(FIRST);
        assertThat(ledger.ended(SECOND, 3)).isNull();
        assertThat(ledger.ended(Membership.child(2), 3))
                .isEqualTo(EndReason.notFormed("process 3 exited with code 3, and too few processes are left for a"
                        + " world: 1 of at least 2"));
    }

    @Test
    void shouldSeeThatTooFewAreLeftWhenTheOthersJoinLater() {
        JobLedger ledger = started(2, 2, false);
        assertThat(ledger.ended(SECOND, 0)).isNull();
        assertThat(ledger.joined(FIRST))
                .isEqualTo(EndReason.notFormed("too few processes are left for a world: 1 of at least 2"));
    }

    @Test
    void shouldWaitForOtherLaunchersWhereTheyCanJoin() {
        JobLedger ledger = started(1, 2, true);
        assertThat(ledger.joined(FIRST)).isNull();
        ledger.started(FOREIGN);
        assertThat(ledger.joined(FOREIGN)).isNull();
        assertThat(ledger.ended(FOREIGN, 0)).isNull();
        assertThat(ledger.haveAllEnded()).isFalse();
    }

    /**
     * If a host cannot start a process, the program may still begin with processes of other hosts; so the job ends only
     * when too few processes are left for a world, or when another process fails.
     */
    @Test
    void shouldGoOnWithoutAProcessThatAnotherHostCannotStart() {
        JobLedger ledger = started(3, 2, false);
        ledger.notStarted(SECOND);
        assertThat(ledger.ended(SECOND, 127)).isNull();
        assertThat(ledger.ended(FIRST, 127))
                .as("the program ends")
                .isEqualTo(EndReason.failure("process 1 exited with code 127"));
        ledger.notStarted(Membership.child(2));
        assertThat(ledger.ended(Membership.child(2), 127))
                .isEqualTo(EndReason.notFormed("process 3 exited with code 127, and too few processes are left for a"
                        + " world: 0 of at least 2"));
        assertThat(ExitPolicy.exitCode(ledger.outcomes(), true, null)).isEqualTo(127);
    }

    @Test
    void shouldEndTheLastCallOnceAllOwnProcessesHaveJoinedOrEnded() {
        JobLedger ledger = started(2, 1, true);
        ledger.joined(FIRST);
        assertThat(ledger.haveAllOwnJoined()).isFalse();
        ledger.ended(SECOND, 1);
        assertThat(ledger.haveAllOwnJoined()).isTrue();
    }

    @Test
    void shouldAnswerForAProcessThatItsLauncherHasStartedLater() {
        JobLedger ledger = begun(Map.of(FIRST, 0));
        ProcessId later = Membership.child(5);
        ledger.started(later);
        assertThat(ledger.isOwn(later)).isFalse();
        ledger.isOwnToo(later);
        assertThat(ledger.isOwn(later)).isTrue();
        assertThat(ledger.haveAllOwnJoined()).isFalse();
        ledger.joined(later);
        assertThat(ledger.haveAllOwnJoined()).isTrue();
        ledger.membersAre(1, Map.of(FIRST, 0, later, 1));
        ledger.finalized(FIRST, Set.of());
        ledger.ended(FIRST, 0);
        ledger.ended(later, 6);
        assertThat(ExitPolicy.exitCode(ledger.outcomes(), true, null)).isEqualTo(6);
    }

    @Test
    void shouldNotAnswerForTheCodeOfAForeignProcessNorOfOneThatWaits() {
        JobLedger ledger = begun(Map.of(FIRST, 0, FOREIGN, 1));
        ledger.finalized(FIRST, Set.of());
        ledger.ended(FIRST, 0);
        assertThat(ledger.isOver()).as("a member of another launcher runs").isFalse();
        ledger.ended(FOREIGN, 0);
        assertThat(ledger.isOver()).isTrue();
        assertThat(ledger.haveAllEnded()).as("one waits").isFalse();
        ledger.ended(SECOND, 4);
        assertThat(ledger.haveAllEnded()).isTrue();
        assertThat(ExitPolicy.exitCode(ledger.outcomes(), true, null)).isZero();
        assertThat(ledger.describe(FOREIGN)).isEqualTo("rank 1 has ended; another mpiexec had started it");
    }

    @Test
    void shouldJudgeAMemberThatGrewInAsAnyOther() {
        JobLedger ledger = begun(Map.of(FIRST, 0));
        ledger.membersAre(1, Map.of(FIRST, 0, SECOND, 1));
        ledger.finalized(FIRST, Set.of());
        ledger.ended(FIRST, 0);
        ledger.ended(SECOND, 5);
        assertThat(ExitPolicy.exitCode(ledger.outcomes(), true, null)).isEqualTo(5);
    }

    @Test
    void shouldNotJudgeAMemberThatTheOthersHeldForFailed() {
        JobLedger ledger = begun(Map.of(FIRST, 0, SECOND, 1));
        ledger.ended(SECOND, 137);
        ledger.finalized(FIRST, Set.of(SECOND.slot()));
        ledger.ended(FIRST, 0);
        assertThat(ExitPolicy.exitCode(ledger.outcomes(), true, null)).isZero();
    }

    @Test
    void shouldNotJudgeAMemberThatWasToldToEndAlone() {
        JobLedger ledger = begun(Map.of(FIRST, 0, SECOND, 1));
        ledger.toldToEnd(SECOND);
        ledger.finalized(FIRST, Set.of());
        ledger.ended(FIRST, 7);
        ledger.ended(SECOND, 143);
        assertThat(ExitPolicy.exitCode(ledger.outcomes(), true, null)).isEqualTo(7);
    }

    @Test
    void shouldIgnoreAnEpochThatIsReportedLate() {
        JobLedger ledger = begun(Map.of(FIRST, 0));
        SortedMap<ProcessId, Integer> later = new TreeMap<>(Map.of(FIRST, 0, SECOND, 2));
        ledger.membersAre(2, later);
        ledger.membersAre(1, Map.of(FIRST, 0, FOREIGN, 1));
        assertThat(ledger.isMember(SECOND)).isTrue();
        assertThat(ledger.isMember(FOREIGN)).isFalse();
    }

    private static JobLedger started(int own, int min, boolean isOpenToOthers) {
        JobLedger ledger = new JobLedger(new Membership(own, min, isOpenToOthers));
        for (int number = 0; number < own; number++) {
            ledger.started(Membership.child(number));
        }
        return ledger;
    }

    /**
     * A job with two processes of this launcher and one of another launcher, all of which have joined, and with these
     * members.
     */
    private static JobLedger begun(Map<ProcessId, Integer> slots) {
        JobLedger ledger = started(2, 1, true);
        ledger.started(FOREIGN);
        for (ProcessId child : new ProcessId[] {FIRST, SECOND, FOREIGN}) {
            ledger.joined(child);
        }
        ledger.membersAre(0, slots);
        ledger.formed();
        return ledger;
    }
}
