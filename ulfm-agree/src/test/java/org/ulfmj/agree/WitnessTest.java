package org.ulfmj.agree;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.agree.message.AgreementValue;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.agree.tree.AgreementTree;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/**
 * Short schedules, most of which break an agreement without one of its rules. After most schedules every event happens
 * that is left, and then all live processes that no other one holds for failed have the same decision.
 */
class WitnessTest {
    private static final Contribution OVERLAPPING = new Contribution(Kind.IAGREE, -1, SlotSet.ALL);

    /**
     * Without R4b, process 2 would forget that process 1 asked, take the dead root's decision, and leave process 1
     * waiting.
     */
    @Test
    void shouldAnswerANewRootThatAskedBeforeTheDecisionArrived() {
        Crowd crowd = rootDecidesAndDies();
        crowd.tellDeath(1, 0);
        crowd.deliverAll(1, 2);
        crowd.deliver(0, 2);

        assertThat(crowd.member(2).decisions).containsKey(1L);
        crowd.settle();
        crowd.commonDecision(1);
    }

    /** Without R0, process 2 would take the old decision of process 0 after process 1 has decided without 0. */
    @Test
    void shouldNotTakeADecisionFromAProcessItHoldsForFailed() {
        Crowd crowd = new Crowd(3);
        crowd.agreeAll();
        crowd.deliver(1, 0);
        crowd.deliver(2, 0);
        crowd.crash(0);
        crowd.tellDeath(2, 0);
        crowd.deliverAll(2, 1);
        crowd.drained(1, 0);
        assertThat(crowd.member(1).decisions).containsKey(1L);
        crowd.deliver(0, 2);

        crowd.settle();
        assertThat(crowd.commonDecision(1).failed()).isEqualTo(SlotSet.of(0));
    }

    /**
     * Without the second half of R6, process 3 would wait for process 0, which took its value and would not send it the
     * decision. Here the value of 3 does not say that 3 knows of the death of 1, as values do; otherwise 0 would know
     * that 3 is its child.
     */
    @Test
    void shouldTellTheDecisionToAContributorThatIsNoExpectedChild() {
        Crowd crowd = new Crowd(4);
        crowd.agreeAt(0, 1, 2);
        crowd.deliver(2, 0);
        crowd.channel(3, 1).add(value(4, 3, SlotSet.EMPTY));
        crowd.deliver(3, 1);
        crowd.channel(3, 0).add(value(4, 3, SlotSet.EMPTY));
        crowd.deliver(3, 0);
        crowd.deliver(1, 0);

        assertThat(crowd.member(0).decisions).containsKey(1L);
        assertThat(crowd.channel(0, 3)).hasSize(1).allMatch(ControlMessage.Down.class::isInstance);
    }

    /**
     * Without R4c, process 1 as the new root would wait for the value of process 7, which it dropped while it was
     * waiting itself.
     */
    @Test
    void shouldSendItsValueAgainToANewRootThatHadDroppedIt() {
        Crowd crowd = allContributed(8);
        crowd.crash(0);
        crowd.crash(3);
        crowd.tellDeath(1, 3);
        crowd.tellDeath(7, 3);
        crowd.deliverAll(7, 1); // 1 waits for 0 and drops the value
        crowd.channel(0, 1).clear();
        crowd.channel(0, 2).clear();
        crowd.tellDeath(1, 0);

        crowd.settle();
        assertThat(crowd.commonDecision(1).failed()).isEqualTo(SlotSet.of(0, 3));
    }

    /**
     * Without the question of a new root to its children, process 2 would keep the decision of process 0 to itself, and
     * process 1 would wait for a value.
     */
    @Test
    void shouldAskForTheDecisionWhenItBecomesTheRoot() {
        Crowd crowd = rootDecidesAndDies();
        crowd.deliver(0, 2);
        crowd.tellDeath(1, 0);

        crowd.settle();
        assertThat(crowd.commonDecision(1).failed().isEmpty()).isTrue();
    }

    /**
     * Without the second question, process 1 would inherit process 5 as a child from process 2 and wait for its value,
     * while 5 has the decision.
     */
    @Test
    void shouldAskWhomItInheritsFromAProcessThatItHadAsked() {
        Crowd crowd = allContributed(6);
        crowd.deliver(0, 2);
        crowd.deliver(2, 5);
        crowd.crash(0);
        crowd.channel(0, 1).clear();
        crowd.tellDeath(1, 0);
        for (int slot : new int[] {3, 4}) {
            crowd.deliverAll(1, slot);
            crowd.drained(slot, 0);
            crowd.deliverAll(slot, 1);
        }
        crowd.crash(2);
        crowd.channel(2, 1).clear();

        crowd.settle();
        assertThat(crowd.commonDecision(1).failed().isEmpty()).isTrue();
    }

    /**
     * If the message that begins a new round did not count as a question, process 1 would inherit process 9 as a child
     * from 4 and wait for its value, while 9 has the decision that 4 had got from 0. No process that is left knows that
     * 4 suspects 1: 9 is none of the overlay's neighbours of 4.
     */
    @Test
    void shouldAskWhomItInheritsFromAProcessToldOfTheNextRound() {
        Crowd crowd = allContributed(11);
        crowd.suspect(4, 1);
        crowd.deliverAll(4, 0);
        crowd.deliverAll(0, 4);
        crowd.deliverAll(4, 9);
        assertThat(crowd.member(9).decisions).containsKey(1L);
        assertThat(crowd.member(9).failed).isEmpty();
        crowd.crash(0);
        for (int slot = 1; slot < 11; slot++) {
            crowd.channel(0, slot).clear();
            crowd.channel(4, slot).clear();
        }
        crowd.tellDeath(1, 0);
        for (int slot : new int[] {2, 3}) {
            crowd.deliverAll(1, slot);
            crowd.drained(slot, 0);
            crowd.deliverAll(slot, 1);
        }
        crowd.crash(4);

        crowd.settle();
        assertThat(crowd.core()).hasSize(9);
        assertThat(crowd.commonDecision(1).failed().isEmpty()).isTrue();
    }

    /**
     * Without R9, process 1 would decide with 2 while 0, falsely suspected, decides with 2's older value and 3; then 1
     * dies, and 2 and 3, which no process ever suspected, live on with different results.
     */
    @Test
    void shouldDecideOnlyWhenAllContributorsHaveFencedTheExcluded() {
        Crowd crowd = new Crowd(4);
        crowd.agreeAt(0, 1, 2);
        crowd.deliver(2, 0);
        crowd.agree(3, -1);
        crowd.suspect(1, 0);
        crowd.deliver(3, 1);
        crowd.deliver(1, 2); // the obituary of 0; 2 passes its value to 1
        crowd.crashAfterSends(1, 1);
        crowd.deliverAll(2, 1);
        crowd.deliverAll(1, 2);
        crowd.tellDeath(0, 1);
        crowd.tellDeath(3, 1);
        crowd.deliver(3, 0);
        crowd.deliver(3, 0);
        crowd.deliver(0, 3);
        crowd.deliver(0, 3);

        crowd.settle();
        crowd.commonDecision(1);
    }

    /** Without R3a2, the root would merge a value that lists itself and hold itself for failed. */
    @Test
    void shouldFenceItselfWhenAValueListsIt() {
        Crowd crowd = new Crowd(3);
        crowd.agreeAt(0, 2);
        crowd.deliver(2, 0);
        crowd.agree(1, -1); // its value goes to 0
        crowd.suspect(2, 0);
        crowd.channel(2, 0).clear(); // the obituary for 0 itself is lost with its link
        crowd.deliverAll(2, 1);
        crowd.channel(1, 0).clear();
        crowd.channel(1, 0).add(value(3, 1, SlotSet.of(0)));
        crowd.deliver(1, 0);

        assertThat(crowd.member(0).fencedBecause)
                .isEqualTo("an agreement value of process 1 lists this process as failed");
        assertThat(crowd.member(0).decisions).isEmpty();
        crowd.settle();
        assertThat(crowd.commonDecision(1).failed()).isEqualTo(SlotSet.of(0));
    }

    /**
     * If every completed call changed the base, process 1 would enter the second call with another tree than process 0.
     * In that tree process 3 is a child of 0 and not of 1, and the value of 3 would be left out although 3 lives.
     */
    @Test
    void shouldKeepTheBaseOfOverlappingCallsWhateverCompletesBetween() {
        Crowd crowd = new Crowd(4);
        crowd.crash(2);
        crowd.tellDeath(0, 2);
        crowd.tellDeath(1, 2);
        crowd.enter(0, OVERLAPPING);
        crowd.enter(0, OVERLAPPING);
        crowd.enter(1, OVERLAPPING);
        crowd.enter(3, OVERLAPPING);
        crowd.deliverAll(1, 3);
        crowd.drained(3, 2);
        crowd.deliverAll(3, 1);
        crowd.deliverAll(1, 0);
        crowd.deliverAll(0, 1);
        crowd.deliverAll(1, 0);
        crowd.deliverAll(0, 1);
        crowd.deliverAll(1, 3);
        crowd.deliverAll(3, 1);
        crowd.deliverAll(1, 0);
        crowd.deliverAll(0, 1);
        assertThat(crowd.member(1).decisions).containsKey(1L);

        crowd.enter(1, OVERLAPPING);
        crowd.deliverAll(1, 0);
        assertThat(crowd.member(0).decisions).doesNotContainKey(2L);
        crowd.enter(3, OVERLAPPING);
        crowd.settle();
        crowd.commonDecision(1);
        assertThat(crowd.commonDecision(2).kinds().get(Kind.IAGREE)).isZero();
    }

    /**
     * A question can come late for a decision that all processes have taken and dropped. The process gives such a
     * question no answer and makes no record for it.
     */
    @Test
    void shouldIgnoreALateQuestionAboutACollectedDecision() {
        Crowd crowd = new Crowd(3);
        for (int round = 0; round < 2; round++) {
            crowd.agreeAll();
            crowd.settle();
        }
        assertThat(crowd.member(0).core.agreements().storedDecisions(Crowd.COMM))
                .isEqualTo(1);
        crowd.sent = 0;

        crowd.channel(1, 0).add(new ControlMessage.ResultRequest(Crowd.COMM, 1));
        crowd.channel(1, 0).add(new ControlMessage.NextRound(Crowd.COMM, 1, 1, SlotSet.EMPTY));
        crowd.deliverAll(1, 0);

        assertThat(crowd.sent).isZero();
        assertThat(crowd.member(0).core.agreements().describe(Crowd.COMM, 1)).isNull();
        assertThat(crowd.member(0).isLive()).isTrue();
    }

    /**
     * All processes have called, and 0 has decided and died. The messages with its decision are in the channels to 1
     * and 2.
     */
    private static Crowd rootDecidesAndDies() {
        Crowd crowd = allContributed(3);
        crowd.crash(0);
        return crowd;
    }

    /** All processes have called, and 0 has decided. The messages with its decision are in the channels. */
    private static Crowd allContributed(int size) {
        Crowd crowd = new Crowd(size);
        for (int slot = size - 1; slot >= 0; slot--) {
            crowd.agree(slot, -1);
            for (int child = 2 * slot + 1; child <= 2 * slot + 2 && child < size; child++) {
                crowd.deliver(child, slot);
            }
        }
        assertThat(crowd.member(0).decisions).containsKey(1L);
        return crowd;
    }

    /**
     * Makes the message that carries the value of a process to its parent, when the process knows only these failures.
     */
    private static ControlMessage.Up value(int size, int rank, SlotSet failed) {
        return new ControlMessage.Up(
                Crowd.COMM,
                1,
                new AgreementTree(SlotRuns.range(size), SlotSet.EMPTY).view(),
                0,
                AgreementValue.of(new Contribution(Kind.AGREE, -1, SlotSet.EMPTY), rank, failed, Long.MAX_VALUE, 0),
                failed);
    }
}
