package org.ulfmj.agree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.agree.message.AgreementValue;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;

class DepartureTest {
    private static final int NOTHING = 0;

    @Test
    void shouldLetEachMemberGoWhenAllHaveCalled() {
        Crowd crowd = allCall(5);
        crowd.settle();

        for (Crowd.Member member : crowd.members) {
            assertThat(member.core.isLeaving()).isTrue();
            assertThat(member.decisions.get(1L).isOnly(Kind.FINALIZE)).isTrue();
            assertThat(member.fencedBecause).isNull();
        }
    }

    /**
     * It would not be enough to wait until all processes that might answer have gone: 2 and 3 would each take the other
     * for one that might, and wait for ever.
     */
    @Test
    void shouldDecideAtTheFirstGoodbyeFromAnyMember() {
        Crowd crowd = allCall(4);
        crowd.deliver(3, 1);
        crowd.deliver(1, 0);
        crowd.deliver(2, 0);
        crowd.crash(0);
        crowd.channel(0, 2).clear();
        crowd.channel(0, 3).clear();
        crowd.deliver(0, 1);
        ControlMessage last = crowd.channel(1, 2).peekLast();
        crowd.channel(1, 2).clear();
        crowd.channel(1, 2).add(last);
        crowd.crash(1);
        crowd.channel(1, 3).clear();

        crowd.deliver(1, 2);

        assertThat(last).isInstanceOf(ControlMessage.Goodbye.class);
        assertThat(crowd.member(2).core.isLeaving()).isTrue();
        crowd.settle();
        assertThat(crowd.member(3).core.isLeaving()).isTrue();
    }

    @Test
    void shouldDecideWhenTheLauncherAnswersForALeaverWhoseMessagesWereLost() {
        Crowd crowd = allCall(2);
        crowd.deliver(1, 0);
        crowd.leave(0, NOTHING);
        crowd.tellDeparted(1, 0);

        assertThat(crowd.member(1).core.isLeaving()).isTrue();
        assertThat(crowd.member(1).departed).containsExactly(ProcessId.of(0));
        assertThat(crowd.member(1).failed).isEmpty();
        assertThat(crowd.member(1).decisions.get(1L).isOnly(Kind.FINALIZE)).isTrue();
    }

    @Test
    void shouldDecideWhenALeaverWhoseMessagesWereLostIsHeldForFailed() {
        Crowd crowd = allCall(2);
        crowd.deliver(1, 0);
        crowd.leave(0, NOTHING);
        crowd.tellDeath(1, 0);

        assertThat(crowd.member(1).core.isLeaving()).isTrue();
        assertThat(crowd.member(1).decisions.get(1L).failed()).isEqualTo(SlotSet.of(0));
    }

    /**
     * Without these obituaries process 2, which 0 has marked failed by a false suspicion, would live on in a job that
     * has ended.
     */
    @Test
    void shouldSendItsObituariesBeforeItLeaves() {
        Crowd crowd = new Crowd(3);
        crowd.crash(1);
        crowd.tellDeath(0, 1);
        crowd.suspect(0, 2);
        crowd.finish(0);
        crowd.leave(0, Integer.MAX_VALUE);

        crowd.settle();
        assertThat(crowd.member(2).fencedBecause)
                .isEqualTo("process 0 told that process 0 holds this process for failed: no heartbeat");
    }

    @Test
    void shouldFenceItselfWhenAMemberLeavesBeforeItHasCalled() {
        Crowd byGoodbye = new Crowd(2);
        byGoodbye.suspect(0, 1);
        byGoodbye.finish(0);
        byGoodbye.channel(0, 1).removeIf(DepartureTest::isObituary);
        byGoodbye.channel(0, 1).add(goodbye(0));
        byGoodbye.deliverAll(0, 1);
        Crowd byLauncher = new Crowd(2);
        byLauncher.tellDeparted(1, 0);

        assertThat(byGoodbye.member(1).fencedBecause)
                .isEqualTo("process 0 has finalized before this process called Finalize");
        assertThat(byLauncher.member(1).fencedBecause).isEqualTo(byGoodbye.member(1).fencedBecause);
    }

    @Test
    void shouldNotFenceItselfAnyMoreWhenItLeaves() {
        Crowd crowd = allCall(3);
        crowd.settle();
        Evidence suspicion = new Evidence(Evidence.Kind.SUSPECTED, ProcessId.of(1), "no heartbeat");
        crowd.channel(1, 0).add(new ControlMessage.Detector(new DetectorMessage.Obituary(ProcessId.of(0), suspicion)));
        crowd.channel(1, 0).add(new ControlMessage.Detector(new DetectorMessage.Obituary(ProcessId.of(2), suspicion)));
        Decision other = AgreementValue.of(
                        new Contribution(Kind.FINALIZE, -1, SlotSet.ALL), 1, SlotSet.of(0), Long.MAX_VALUE, 0)
                .toDecision();
        crowd.channel(1, 0).add(new ControlMessage.Down(Crowd.COMM, 1, other));
        crowd.channel(1, 0).add(new ControlMessage.Goodbye(Crowd.COMM, 1, other));
        crowd.deliverAll(1, 0);
        crowd.suspect(0, 1);

        assertThat(crowd.member(0).fencedBecause).isNull();
        assertThat(crowd.member(0).failed).isEmpty();
        assertThat(crowd.member(0).decisions.get(1L).failed().isEmpty()).isTrue();
    }

    @Test
    void shouldGoOnAnsweringWhenItLeaves() {
        Crowd crowd = allCall(3);
        crowd.deliver(1, 0);
        crowd.deliver(2, 0);
        assertThat(crowd.member(0).core.isLeaving()).isTrue();
        crowd.channel(0, 1).clear();
        AgreementValue value = AgreementValue.of(
                new Contribution(Kind.FINALIZE, -1, SlotSet.ALL), 1, SlotSet.EMPTY, Long.MAX_VALUE, 0);
        List<ControlMessage> questions = List.of(
                new ControlMessage.Up(Crowd.COMM, 1, 0, 0, value, SlotSet.EMPTY),
                new ControlMessage.ResultRequest(Crowd.COMM, 1),
                new ControlMessage.NextRound(Crowd.COMM, 1, 1, SlotSet.EMPTY));

        for (ControlMessage question : questions) {
            crowd.channel(1, 0).add(question);
            crowd.deliver(1, 0);
            assertThat(crowd.channel(0, 1).poll()).isInstanceOf(ControlMessage.Down.class);
        }
    }

    @Test
    void shouldStayWhenAnotherRankHadMadeAnotherCallAndLeaveTheNextTime() {
        Crowd crowd = new Crowd(3);
        crowd.finish(0);
        crowd.shrink(1);
        crowd.finish(2);
        crowd.settle();

        for (Crowd.Member member : crowd.members) {
            assertThat(member.decisions.get(1L).kinds().toString()).isEqualTo("{SHRINK=1, FINALIZE=0}");
            assertThat(member.core.isLeaving()).isFalse();
            assertThat(member.departed).isEmpty();
        }
        crowd.finishAll();
        crowd.settle();
        assertThat(crowd.members).allMatch(member -> member.core.isLeaving());
    }

    @Test
    void shouldSayGoodbyeToItsNeighboursAndToAllItHasTalkedToButNotToThoseThatAreGone() {
        Crowd crowd = new Crowd(16);
        crowd.member(0).sessions.add(ProcessId.of(6));
        crowd.member(0).sessions.add(ProcessId.of(2));
        crowd.crash(3);
        crowd.settle();
        crowd.finishAll();
        while (!crowd.member(0).core.isLeaving()) {
            for (int from = 1; from < 16; from++) {
                for (int to = 0; to < from; to++) {
                    crowd.deliver(from, to);
                }
            }
        }

        List<Integer> told = new ArrayList<>();
        for (int slot = 0; slot < 16; slot++) {
            if (crowd.channel(0, slot).stream().anyMatch(ControlMessage.Goodbye.class::isInstance)) {
                told.add(slot);
            }
        }
        // The neighbours of process 0 at the distances ±1, ±2, ±4 and ±8 among the 15 processes that are left, and
        // process 6, with which it had a session.
        assertThat(told).containsExactly(1, 2, 5, 6, 8, 9, 12, 14, 15);
    }

    @Test
    void shouldNotTakeTheEndOfAProcessThatSaidGoodbyeForAFailure() {
        Crowd crowd = allCall(3);
        crowd.deliver(1, 0);
        crowd.deliver(2, 0);
        crowd.leave(0, Integer.MAX_VALUE);
        crowd.tellDeathBeforeDraining(1, 0);
        crowd.deliverAll(0, 1);
        crowd.drained(1, 0);

        assertThat(crowd.member(1).departed).containsExactly(ProcessId.of(0));
        assertThat(crowd.member(1).failed).isEmpty();
        assertThat(crowd.channel(1, 2)).noneMatch(DepartureTest::isObituary);
    }

    /**
     * Process 1 must take the decision that has arrived from 0, which waits until 2, listed as failed in it, is
     * drained. Otherwise process 1 would decide alone, and differently.
     */
    @Test
    void shouldTakeTheDecisionThatWaitsForADrainBeforeTheDepartureOfItsSender() {
        for (boolean isByNonce : new boolean[] {false, true}) {
            Decision decision = AgreementValue.of(
                            new Contribution(Kind.FINALIZE, -1, SlotSet.ALL), 1, SlotSet.of(2), Long.MAX_VALUE, 0)
                    .toDecision();
            Crowd crowd = new Crowd(3);
            crowd.crash(2);
            crowd.tellDeathBeforeDraining(1, 2);
            crowd.finish(1);
            crowd.channel(0, 1).add(new ControlMessage.Down(Crowd.COMM, 1, decision));
            crowd.deliverAll(0, 1);
            assertThat(crowd.member(1).core.isLeaving()).isFalse();
            crowd.crash(0);
            if (isByNonce) {
                crowd.tellDepartedByNonce(1, 0);
            } else {
                crowd.tellDeparted(1, 0);
            }
            assertThat(crowd.member(1).decisions.get(1L)).isEqualTo(decision);
        }
    }

    @Test
    void shouldIgnoreADepartureOfAProcessThatFailedHere() {
        Crowd crowd = new Crowd(3);
        crowd.tellDeath(1, 0);
        crowd.tellDeparted(1, 0);

        assertThat(crowd.member(1).fencedBecause).isNull();
        assertThat(crowd.member(1).departed).isEmpty();
    }

    @Test
    void shouldRefuseToAgreeAfterFinalize() {
        Crowd crowd = allCall(1);

        assertThat(crowd.member(0).core.isLeaving()).isTrue();
        assertThatThrownBy(() -> crowd.agree(0, -1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("agree called by a process that is LEAVING");
    }

    private static boolean isObituary(ControlMessage message) {
        return message instanceof ControlMessage.Detector detector
                && detector.message() instanceof DetectorMessage.Obituary;
    }

    private static ControlMessage goodbye(int rank) {
        return new ControlMessage.Goodbye(
                Crowd.COMM,
                1,
                AgreementValue.of(
                                new Contribution(Kind.FINALIZE, -1, SlotSet.ALL),
                                rank,
                                SlotSet.EMPTY,
                                Long.MAX_VALUE,
                                0)
                        .toDecision());
    }

    private static Crowd allCall(int size) {
        Crowd crowd = new Crowd(size);
        crowd.finishAll();
        return crowd;
    }
}
