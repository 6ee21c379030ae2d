package org.ulfmj.agree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.agree.message.AgreementValue;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

class AgreementTest {
    /**
     * Process 2 has the decision of the dead root 0 and goes on to its next call. Process 1 never gets that decision,
     * decides that both have failed, and calls something else, as a program may that asks whether the agreement raised
     * an error. The value that process 2 had sent for its next call must not look like a mistake of the program. R9
     * leaves it out, because process 2 has not marked itself failed.
     */
    @Test
    void shouldTakeNothingFromOneWhomTheLastDecisionLeftOutWhenItWasFaster() {
        Crowd crowd = new Crowd(3);
        crowd.agree(0, 1);
        crowd.agree(1, 1);
        crowd.agree(2, 1);
        crowd.deliver(1, 0);
        crowd.deliver(2, 0);
        crowd.deliver(0, 2);
        assertThat(crowd.member(2).decisions.get(1L).failureUnacknowledged()).isFalse();
        crowd.crash(0);
        crowd.channel(0, 1).clear();
        crowd.tellDeath(2, 0);
        crowd.agree(2, 1);
        crowd.deliverAll(2, 1);
        crowd.crash(2);
        crowd.tellDeath(1, 0);
        crowd.tellDeath(1, 2);
        assertThat(crowd.member(1).decisions.get(1L).failureUnacknowledged()).isTrue();
        crowd.shrink(1);
        assertThat(crowd.commonDecision(2).isOnly(Kind.SHRINK)).isTrue();
        assertThat(crowd.commonDecision(2).failed()).isEqualTo(SlotSet.of(0, 2));
    }

    @Test
    void shouldTakeTwoMessagesPerTreeEdgeWithoutFailures() {
        Crowd crowd = new Crowd(4);
        int[] flags = {7, 3, 3, 7};
        for (int slot = 0; slot < 4; slot++) {
            crowd.agree(slot, flags[slot]);
        }
        assertThat(up(crowd, 3, 1).value().flags().get(Kind.AGREE)).isEqualTo(7);
        assertThat(up(crowd, 2, 0).value().flags().get(Kind.AGREE)).isEqualTo(3);
        crowd.deliver(3, 1);
        assertThat(up(crowd, 1, 0).value().flags().get(Kind.AGREE)).isEqualTo(3);
        crowd.settle();

        Decision decision = crowd.commonDecision(1);
        assertThat(decision.flag(Kind.AGREE)).isEqualTo(3);
        assertThat(decision.failureUnacknowledged()).isFalse();
        assertThat(crowd.sent).isEqualTo(6);
    }

    @Test
    void shouldReturnAtTheRootBeforeItsChildrenHaveTheDecision() {
        Crowd crowd = new Crowd(3);
        crowd.agreeAll();
        crowd.deliver(1, 0);
        crowd.deliver(2, 0);

        assertThat(crowd.member(0).decisions).containsKey(1L);
        assertThat(crowd.member(1).decisions).isEmpty();
        assertThat(crowd.member(2).decisions).isEmpty();
    }

    @Test
    void shouldReportAFailureToAllUntilAllHaveAcknowledgedEveryFailure() {
        Crowd crowd = new Crowd(5);
        for (int dead : new int[] {4, 2}) {
            crowd.crash(dead);
            crowd.settle();
        }
        for (int slot : new int[] {0, 1, 3}) {
            crowd.agree(slot, -1, slot == 1 ? new int[] {4} : new int[] {4, 2});
        }
        crowd.settle();
        assertThat(crowd.commonDecision(1).failureUnacknowledged()).isTrue();
        assertThat(crowd.member(0).failed).containsExactly(ProcessId.of(4), ProcessId.of(2));

        for (int slot : new int[] {0, 1, 3}) {
            crowd.agree(slot, -1, 4, 2);
        }
        crowd.settle();
        assertThat(crowd.commonDecision(2).failureUnacknowledged()).isFalse();

        crowd.crash(1);
        crowd.settle();
        assertThat(crowd.member(0).failed).containsExactly(ProcessId.of(4), ProcessId.of(2), ProcessId.of(1));
        crowd.agree(0, -1, 4, 2);
        crowd.agree(3, -1, 4, 2);
        crowd.settle();
        assertThat(crowd.commonDecision(3).failureUnacknowledged()).isTrue();
    }

    @Test
    void shouldReportAFailureWhicheverOfTwoContributionsCameFirst() {
        for (boolean childFirst : new boolean[] {false, true}) {
            Crowd crowd = new Crowd(3);
            crowd.crash(2);
            crowd.settle();
            crowd.agree(childFirst ? 1 : 0, -1, childFirst ? new int[] {2} : new int[0]);
            crowd.settle();
            crowd.agree(childFirst ? 0 : 1, -1, childFirst ? new int[0] : new int[] {2});
            crowd.settle();

            assertThat(crowd.commonDecision(1).failureUnacknowledged()).isTrue();
        }
    }

    @Test
    void shouldAgreeOnTheFailedSetAndTheNameOfTheShrunkCommunicator() {
        Crowd crowd = new Crowd(6);
        crowd.crash(1);
        crowd.crash(4);
        crowd.settle();
        for (int slot = 0; slot < 6; slot++) {
            crowd.shrink(slot);
        }
        crowd.settle();

        Decision decision = crowd.commonDecision(1);
        assertThat(decision.failed()).isEqualTo(SlotSet.of(1, 4));
        assertThat(decision.isOnly(Kind.SHRINK)).isTrue();
        assertThat(decision.failureUnacknowledged()).isFalse();
        assertThat(SlotRuns.range(6).without(decision.failed()).toArray()).containsExactly(0, 2, 3, 5);
    }

    @Test
    void shouldTellAllMembersWhichCallsWereMixedAndTheLowestRankOfEach() {
        Crowd crowd = new Crowd(4);
        crowd.agree(0, 6);
        crowd.shrink(1);
        crowd.agree(2, 5);
        crowd.shrink(3);
        crowd.settle();

        Decision decision = crowd.commonDecision(1);
        assertThat(decision.isOfOneKind()).isFalse();
        assertThat(decision.kinds().toString()).isEqualTo("{AGREE=0, SHRINK=1}");
        assertThat(decision.flag(Kind.AGREE)).isEqualTo(4);
    }

    @Test
    void shouldGiveTheDecisionToALateCallerWhenAllOthersHaveFreedTheCommunicator() {
        Crowd crowd = new Crowd(3);
        crowd.agreeAll();
        crowd.deliver(1, 0);
        crowd.deliver(2, 0);
        crowd.deliver(0, 2);
        crowd.member(2).core.freed(Crowd.COMM, 0, (to, message) -> {});
        crowd.crash(0);
        crowd.channel(0, 1).clear();
        crowd.settle();

        assertThat(crowd.member(1).decisions.get(1L))
                .isEqualTo(crowd.member(2).decisions.get(1L));
        assertThat(crowd.commonDecision(1).failed().isEmpty()).isTrue();
    }

    @Test
    void shouldKeepOneDecisionHoweverManyAgreementsThereWere() {
        Crowd crowd = new Crowd(5);
        for (int round = 1; round <= 50; round++) {
            for (int slot = 0; slot < 5; slot++) {
                assertThat(crowd.agree(slot, -1)).isEqualTo(round);
            }
            crowd.settle();
            crowd.commonDecision(round);
            for (Crowd.Member member : crowd.members) {
                assertThat(member.core.agreements().storedDecisions(Crowd.COMM)).isEqualTo(1);
            }
        }
    }

    @Test
    void shouldMarkWhomTheDecisionListsBeforeTheCallerIsTold() {
        Crowd crowd = new Crowd(4);
        crowd.suspect(3, 2);
        crowd.agreeAt(0, 1, 3);
        crowd.channel(3, 0).clear();
        crowd.settle();

        Decision decision = crowd.commonDecision(1);
        assertThat(decision.failed()).isEqualTo(SlotSet.of(2));
        assertThat(crowd.member(2).fencedBecause).contains("holds this process for failed: no heartbeat");
        for (Crowd.Member member : crowd.core()) {
            assertThat(member.failed).containsExactly(ProcessId.of(2));
        }
    }

    @Test
    void shouldFenceItselfWhenItIsDecidedAround() {
        Crowd crowd = new Crowd(2);
        Decision other = AgreementValue.of(
                        new Contribution(Kind.AGREE, -1, SlotSet.ALL), 1, SlotSet.EMPTY, Long.MAX_VALUE, 0)
                .toDecision();
        crowd.channel(1, 0).add(new ControlMessage.Down(Crowd.COMM, 1, other));
        crowd.deliver(1, 0);

        assertThat(crowd.member(0).fencedBecause)
                .isEqualTo("an agreement was decided without this process, as process 1 told");
    }

    @Test
    void shouldFenceItselfWhenADecisionListsIt() {
        Crowd crowd = new Crowd(2);
        crowd.agree(0, -1);
        Decision other = AgreementValue.of(
                        new Contribution(Kind.AGREE, -1, SlotSet.ALL), 1, SlotSet.of(0), Long.MAX_VALUE, 0)
                .toDecision();
        crowd.channel(1, 0).add(new ControlMessage.Down(Crowd.COMM, 1, other));
        crowd.deliver(1, 0);

        assertThat(crowd.member(0).fencedBecause)
                .isEqualTo("the decision of an agreement, told by process 1, lists this process as failed");
        assertThat(crowd.member(0).decisions).isEmpty();
    }

    @Test
    void shouldCompleteOverlappingCallsInWhateverOrderTheirMessagesArrive() {
        Crowd crowd = new Crowd(4);
        List<Long> sequences = new ArrayList<>();
        for (int call = 0; call < 3; call++) {
            for (int slot = 0; slot < 4; slot++) {
                sequences.add(crowd.enter(slot, new Contribution(Kind.IAGREE, 1 << call, SlotSet.ALL)));
            }
        }
        crowd.crash(3);
        crowd.settle();

        assertThat(sequences).containsExactly(1L, 1L, 1L, 1L, 2L, 2L, 2L, 2L, 3L, 3L, 3L, 3L);
        for (long sequence = 1; sequence <= 3; sequence++) {
            assertThat(crowd.commonDecision(sequence).flag(Kind.IAGREE)).isEqualTo(1 << (sequence - 1));
        }
    }

    @Test
    void shouldDecideAtOnceWhenItIsAlone() {
        Crowd crowd = new Crowd(1);

        assertThat(crowd.agree(0, 5)).isEqualTo(1);
        assertThat(crowd.commonDecision(1).flag(Kind.AGREE)).isEqualTo(5);
    }

    private static ControlMessage.Up up(Crowd crowd, int from, int to) {
        return (ControlMessage.Up) crowd.channel(from, to).peek();
    }
}
