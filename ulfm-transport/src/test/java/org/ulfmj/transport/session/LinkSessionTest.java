package org.ulfmj.transport.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;

/** One test or more a rule. {@code low} is the session of the lower slot with the higher, {@code high} the other way. */
class LinkSessionTest {
    private static final long MS = 1_000_000;
    /** Handshakes 500 ms, budget 3 s. */
    private static final Timing TIMING = Timing.fromTimeout(5_000 * MS);

    private static final LinkIdentity LOW = new LinkIdentity(ProcessId.of(0), 100);
    private static final LinkIdentity HIGH = new LinkIdentity(ProcessId.of(1), 101);
    /** A connection that the other side has dialed. */
    private static final Integer THEIRS = 77;

    private final RecordedActions lowActions = new RecordedActions();
    private final RecordedActions highActions = new RecordedActions();
    private final LinkSession<Integer> low = new LinkSession<>(LOW, HIGH, TIMING, lowActions);
    private final LinkSession<Integer> high = new LinkSession<>(HIGH, LOW, TIMING, highActions);

    private static LinkHello fromLow(long generation) {
        return new LinkHello(LOW, HIGH, generation, 0);
    }

    private static LinkHello fromHigh(long generation) {
        return new LinkHello(HIGH, LOW, generation, 0);
    }

    /** {@code low} has dialed and been taken, number 1. */
    private void connectLow() {
        low.onOffered(0);
        low.onChallenge(1, 0);
        low.onOk(1, new LinkOk(1, 0), 0);
        lowActions.take();
    }

    @Test
    void shouldDialWhenThereIsAFrameAndNoConnection() { // L2
        assertThat(low.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
        low.onOffered(0);
        low.onOffered(0);

        assertThat(lowActions.take()).containsExactly("dial 1");
    }

    @Test
    void shouldDialAgainAfterABackOffThatDoubles() { // L2
        low.onOffered(0);
        low.onEnd(1, 0);
        assertThat(lowActions.take()).containsExactly("dial 1", "close 1");
        assertThat(low.nextDeadlineNs()).isEqualTo(10 * MS);
        low.onTick(10 * MS);
        low.onEnd(2, 10 * MS);
        assertThat(low.nextDeadlineNs()).isEqualTo(30 * MS);
        low.onTick(29 * MS);
        low.onTick(30 * MS);

        assertThat(lowActions.take()).containsExactly("dial 2", "close 2", "dial 3");
    }

    @Test
    void shouldNotDialTheDeparted() { // L2, L16
        low.depart(0);
        assertThat(low.isClosedToFrames()).isTrue();
        assertThat(low.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(lowActions.take()).containsExactly("discarded");
    }

    @Test
    void shouldNumberEachHelloAnewAtTheLowerSlot() { // L3
        low.onOffered(0);
        low.onChallenge(1, 0);
        low.onEnd(1, 0);
        low.onTick(10 * MS);
        low.onChallenge(2, 10 * MS);

        assertThat(lowActions.take())
                .containsExactly(
                        "dial 1", "hello 1 gen 1 delivered 0", "close 1", "dial 2", "hello 2 gen 2 delivered 0");
    }

    @Test
    void shouldAskWithTheNewestNumberItKnowsAtTheHigherSlot() { // L3, L6
        high.onOffered(0);
        high.onChallenge(1, 0);
        high.onRefusal(1, new LinkRefusal.Stale(4), 0);
        high.onTick(10 * MS);
        high.onChallenge(2, 10 * MS);

        assertThat(highActions.take())
                .containsExactly(
                        "dial 1", "hello 1 gen 0 delivered 0", "close 1", "dial 2", "hello 2 gen 4 delivered 0");
    }

    @Test
    void shouldTakeOnlyNewerNumbersAtTheHigherSlot() { // L4
        high.onHello(THEIRS, fromLow(2), 0);
        assertThat(highActions.take()).containsExactly("ok 77 gen 2 delivered 0", "adopted 77");

        high.onHello(78, fromLow(2), 0);
        assertThat(highActions.take()).containsExactly("refuse 78 Stale[generation=2]", "half-close 78");

        high.onHello(79, fromLow(3), 0);
        assertThat(highActions.take()).containsExactly("ok 79 gen 3 delivered 0", "close 77", "adopted 79");
    }

    @Test
    void shouldWithdrawItsDialWhenItTakesAnAskAtTheLowerSlot() { // L5
        low.onOffered(0);
        low.onChallenge(1, 0);
        low.onHello(THEIRS, fromHigh(0), 0);

        assertThat(lowActions.take())
                .containsExactly(
                        "dial 1", "hello 1 gen 1 delivered 0", "close 1", "ok 77 gen 2 delivered 0", "adopted 77");
    }

    @Test
    void shouldTestAnAskAgainstTheNumberAdoptedNotTheHighestUsed() { // L5
        low.onOffered(0);
        low.onChallenge(1, 0);
        low.onEnd(1, 0);
        low.onTick(10 * MS);
        low.onChallenge(2, 10 * MS);
        low.onEnd(2, 10 * MS);
        lowActions.take();

        low.onHello(THEIRS, fromHigh(0), 20 * MS);

        assertThat(lowActions.take()).contains("ok 77 gen 3 delivered 0");
    }

    @Test
    void shouldRefuseAnAskThatDoesNotKnowTheNewestConnection() { // L5, L18
        connectLow();
        low.onHello(THEIRS, fromHigh(0), 0);

        assertThat(lowActions.take()).containsExactly("refuse 77 Stale[generation=1]", "half-close 77");
        low.onEnd(THEIRS, 0);
        assertThat(lowActions.take()).containsExactly("close 77");
    }

    @Test
    void shouldCloseARefusedConnectionThatNeverEnds() { // L18
        connectLow();
        low.onHello(THEIRS, fromHigh(0), 0);
        lowActions.take();
        assertThat(low.nextDeadlineNs()).isEqualTo(500 * MS);
        low.onTick(500 * MS);

        assertThat(lowActions.take()).containsExactly("close 77");
    }

    @Test
    void shouldDropAnAnswerThatIsOlderThanWhatTheHigherSlotHas() { // L6
        high.onOffered(0);
        high.onChallenge(1, 0);
        high.onHello(THEIRS, fromLow(5), 0);
        highActions.take();

        high.onOk(1, new LinkOk(4, 0), 0);

        assertThat(highActions.take()).containsExactly("close 1");
        assertThat(high.adopted()).isEqualTo(THEIRS);
    }

    @Test
    void shouldKeepAnAskEvenAfterAdoptingTheOthersDial() { // L7
        high.onOffered(0);
        high.onChallenge(1, 0);
        high.onHello(THEIRS, fromLow(1), 0);
        assertThat(highActions.take())
                .containsExactly("dial 1", "hello 1 gen 0 delivered 0", "ok 77 gen 1 delivered 0", "adopted 77");

        // The lower slot has meanwhile taken the ask and withdrawn its dial.
        high.onWrite();
        high.onEnd(THEIRS, 0);
        high.onOk(1, new LinkOk(2, 0), 0);

        assertThat(highActions.take()).containsExactly("close 77", "adopted 1");
        assertThat(high.nextToWrite())
                .as("written on the withdrawn connection, so written again")
                .isEqualTo(1);
    }

    @Test
    void shouldWriteNoHelloOnceItHasAdoptedAnother() { // L7
        high.onOffered(0);
        high.onHello(THEIRS, fromLow(1), 0);
        highActions.take();
        high.onChallenge(1, 0);

        assertThat(highActions.take()).containsExactly("close 1");
    }

    @Test
    void shouldWriteOnBehindWhatThePeerHasDelivered() { // L8
        connectLow();
        low.onOffered(0);
        low.onOffered(0);
        for (int i = 0; i < 3; i++) {
            low.onWrite();
        }
        low.onHello(THEIRS, new LinkHello(HIGH, LOW, 1, 2), 0);

        assertThat(lowActions.take())
                .containsExactly("ok 77 gen 2 delivered 0", "close 1", "acknowledged 2", "adopted 77");
        assertThat(low.nextToWrite()).isEqualTo(3);
    }

    @Test
    void shouldStopWhenThePeerHasDeliveredWhatWasNeverWritten() { // L8
        connectLow();
        assertThatThrownBy(() -> low.onAck(1, 1, 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("acknowledges frame 1")
                .hasMessageContaining("has written 0");
    }

    @Test
    void shouldDeliverInOrderAndOnce() { // L9
        connectLow();
        assertThat(low.onData(1, 1, 0, false, 10, 0)).isTrue();
        assertThat(low.onData(1, 2, 0, false, 10, 0)).isTrue();
        assertThat(low.onData(1, 2, 0, false, 10, 0)).isFalse();
        low.flushAckIfDue(0);

        assertThat(lowActions.take())
                .as("a repeated frame is acknowledged again at once")
                .containsExactly("ack 1 2");
        assertThat(low.onData(1, 4, 0, false, 10, 0)).isFalse();
        assertThat(lowActions.take()).as("a gap").containsExactly("close 1", "broken");
    }

    @Test
    void shouldDeliverFromTheAdoptedConnectionOnly() { // L9
        connectLow();
        low.onHello(THEIRS, fromHigh(1), 0);

        assertThat(low.onData(1, 1, 0, false, 10, 0)).isFalse();
        assertThat(low.onData(THEIRS, 1, 0, false, 10, 0)).isTrue();
    }

    @Test
    void shouldAcknowledgeAtOnceLaterOrWithAFrame() { // L10
        connectLow();
        low.onData(1, 1, 0, false, 10, 5 * MS);
        low.flushAckIfDue(5 * MS);
        assertThat(lowActions.take()).isEmpty();
        assertThat(low.nextDeadlineNs()).isEqualTo(25 * MS);
        low.onTick(25 * MS);
        assertThat(lowActions.take()).containsExactly("ack 1 1");

        low.onData(1, 2, 0, true, 10, 30 * MS);
        low.flushAckIfDue(30 * MS);
        assertThat(lowActions.take()).containsExactly("ack 1 2");

        low.onData(1, 3, 0, false, AckPace.BYTES, 30 * MS);
        low.flushAckIfDue(30 * MS);
        assertThat(lowActions.take()).containsExactly("ack 1 3");

        low.onData(1, 4, 0, false, 10, 30 * MS);
        assertThat(low.onWrite()).as("a frame carries it").isEqualTo(4);
        low.onTick(90 * MS);
        assertThat(lowActions.take()).isEmpty();
    }

    @Test
    void shouldGiveUpAHandshakeThatIsNotAnsweredAndWaitLongerForTheNext() { // L11
        low.onOffered(0);
        low.onChallenge(1, 0);
        lowActions.take();
        low.onTick(500 * MS);
        low.onTick(510 * MS);
        assertThat(lowActions.take()).containsExactly("close 1", "dial 2");
        assertThat(low.nextDeadlineNs()).isEqualTo(1_510 * MS);
    }

    @Test
    void shouldReportAPeerThatCannotBeReachedWithinTheBudgetAndGoOnDialing() { // L13
        low.onOffered(0);
        long now = 0;
        while (now < 3_000 * MS) {
            low.onEnd(lowActions.lastDial(), now);
            now = low.nextDeadlineNs();
            low.onTick(now);
        }
        assertThat(lowActions.take()).containsOnlyOnce("broken");
        assertThat(low.nextDeadlineNs() - now).isLessThanOrEqualTo(250 * MS);
        low.onTick(low.nextDeadlineNs());
        assertThat(lowActions.take()).singleElement().asString().startsWith("dial");

        low.onHello(THEIRS, fromHigh(0), now);
        assertThat(lowActions.take()).contains("restored", "adopted 77");
    }

    @Test
    void shouldReportALostConnectionOnceAndNotDialAgain() {
        connectLow();
        low.onEnd(1, 0);
        low.onOffered(0);
        low.onTick(9_000 * MS);

        assertThat(lowActions.take()).containsExactly("close 1", "broken");
        assertThat(low.isHandedOver()).isTrue();
    }

    @Test
    void shouldDialAgainWhenThePeerMayNeverHaveKnownOfTheConnection() {
        low.onHello(THEIRS, fromHigh(0), 0);
        low.onOffered(0);
        low.onEnd(THEIRS, 0);

        assertThat(lowActions.take()).containsExactly("ok 77 gen 1 delivered 0", "adopted 77", "close 77", "dial 1");
    }

    @Test
    void shouldBreakWhenThePeerWroteSomethingThatCannotBeTrusted() {
        low.onHello(THEIRS, fromHigh(0), 0);
        lowActions.take();
        low.onCorrupt(THEIRS, 0);

        assertThat(lowActions.take()).containsExactly("close 77", "broken");
    }

    @Test
    void shouldTellTheMarkedAndReadOnToItsEnd() { // L14
        connectLow();
        low.mark(0);

        assertThat(lowActions.take()).containsExactly("discarded", "you failed 1", "half-close 1");
        assertThat(low.onData(1, 1, 0, false, 10, 0)).isFalse();
        assertThat(low.canWrite()).isFalse();
        low.onEnd(1, 0);
        assertThat(lowActions.take()).containsExactly("close 1");
    }

    @Test
    void shouldCloseItsDialToTheMarkedAndRefuseItsHello() { // L14
        low.onOffered(0);
        low.mark(0);
        assertThat(lowActions.take()).containsExactly("dial 1", "discarded", "close 1");
        low.onHello(THEIRS, fromHigh(0), 0);

        assertThat(lowActions.take()).containsExactly("refuse 77 YouFailed[]", "half-close 77");
    }

    @Test
    void shouldFenceItselfWhenItHearsYouFailedAndWriteNoMore() { // L14
        connectLow();
        low.onYouFailed(1, 0);

        assertThat(lowActions.take()).containsExactly("excluded", "discarded", "close 1");
        assertThat(low.isClosedToFrames()).isTrue();
    }

    @Test
    void shouldFenceItselfWhenARefusalSaysYouFailed() { // L14
        low.onOffered(0);
        low.onChallenge(1, 0);
        lowActions.take();
        low.onRefusal(1, new LinkRefusal.YouFailed(), 0);

        assertThat(lowActions.take()).containsExactly("close 1", "excluded", "discarded");
        low.onTick(60_000 * MS);
        assertThat(lowActions.take()).isEmpty();
    }

    @Test
    void shouldRefuseADialerThatWantsSomebodyElse() { // L15
        low.onHello(THEIRS, new LinkHello(HIGH, new LinkIdentity(ProcessId.of(0), 999), 0, 0), 0);

        assertThat(lowActions.take()).containsExactly("refuse 77 NotMe[me=0#64]", "half-close 77");
        assertThat(low.adopted()).isNull();
    }

    @Test
    void shouldTakeAHigherIncarnationForProofThatTheLowerEnded() { // L15
        LinkIdentity newcomer = new LinkIdentity(new ProcessId(1, 1), 7);
        low.onHello(THEIRS, new LinkHello(newcomer, LOW, 0, 0), 0);
        assertThat(lowActions.take()).containsExactly("superseded by 1'1#7", "close 77");

        low.onOffered(0);
        low.onChallenge(1, 0);
        lowActions.take();
        low.onRefusal(1, new LinkRefusal.NotMe(newcomer), 0);
        assertThat(lowActions.take()).containsExactly("close 1", "superseded by 1'1#7");
    }

    @Test
    void shouldTellALowerIncarnationThatItFailed() { // L15
        LinkSession<Integer> later =
                new LinkSession<>(LOW, new LinkIdentity(new ProcessId(1, 1), 7), TIMING, lowActions);
        later.onHello(THEIRS, fromHigh(0), 0);

        assertThat(lowActions.take()).containsExactly("refuse 77 YouFailed[]", "half-close 77");
    }

    @Test
    void shouldRefuseAnotherProcessOfTheSameName() { // L15
        low.onHello(THEIRS, new LinkHello(new LinkIdentity(ProcessId.of(1), 555), LOW, 0, 0), 0);

        assertThat(lowActions.take()).containsExactly("misnamed 1#22b", "refuse 77 NotMe[me=0#64]", "half-close 77");
    }

    @Test
    void shouldAcknowledgeTheGoodbyeOfADepartingPeerAndTakeItsDial() { // L16
        connectLow();
        low.onData(1, 1, 0, false, 10, 0);
        low.depart(0);
        assertThat(lowActions.take()).containsExactly("ack 1 1", "discarded");
        low.onEnd(1, 0);
        assertThat(lowActions.take()).as("no break").containsExactly("close 1");

        low.onHello(THEIRS, fromHigh(1), 0);
        assertThat(lowActions.take()).containsExactly("ok 77 gen 2 delivered 1", "adopted 77");
    }

    @Test
    void shouldLeaveAfterTheLastAcknowledgement() { // L17
        connectLow();
        low.onWrite();
        low.leave(0);
        assertThat(lowActions.take()).isEmpty();
        low.onAck(1, 1, MS);
        assertThat(lowActions.take()).containsExactly("acknowledged 1", "half-close 1");
        assertThat(low.hasLeft()).isFalse();
        low.onEnd(1, MS);

        assertThat(low.hasLeft()).isTrue();
    }

    @Test
    void shouldSendTheAcknowledgementItOwesBeforeItLeaves() { // L17
        connectLow();
        low.onWrite();
        low.onAck(1, 1, 0);
        low.onData(1, 1, 1, false, 10, 0);
        lowActions.take();
        low.leave(0);

        assertThat(lowActions.take()).containsExactly("ack 1 1", "half-close 1");
    }

    @Test
    void shouldLeaveWithoutAnAcknowledgementOnceTheBudgetIsSpent() { // L13, L17
        connectLow();
        low.onWrite();
        low.leave(1_000 * MS);
        assertThat(low.nextDeadlineNs()).isEqualTo(4_000 * MS);
        low.onTick(4_000 * MS);
        assertThat(lowActions.take()).containsExactly("broken", "half-close 1");
        low.onTick(4_500 * MS);

        assertThat(lowActions.take()).containsExactly("close 1");
        assertThat(low.hasLeft()).isTrue();
    }

    @Test
    void shouldLeaveAtOnceWhenThePeerHasDeparted() { // L17
        connectLow();
        low.onWrite();
        low.depart(0);
        lowActions.take();
        low.leave(0);

        assertThat(lowActions.take()).containsExactly("half-close 1");
    }

    @Test
    void shouldHaveLeftAtOnceWhenThereNeverWasAnything() { // L17
        low.leave(0);
        assertThat(low.hasLeft()).isTrue();
        assertThat(lowActions.take()).isEmpty();
    }

    @Test
    void shouldOpenNothingForANewcomerOnceItIsDone() { // L17
        low.leave(0);
        low.onHello(THEIRS, new LinkHello(new LinkIdentity(new ProcessId(1, 1), 7), LOW, 0, 0), 0);

        assertThat(lowActions.take()).containsExactly("close 77");
    }

    @Test
    void shouldEndAConnectionThatIsOpenedToItAfterItIsDone() { // L17
        low.leave(0);
        low.onHello(THEIRS, fromHigh(0), 0);

        assertThat(lowActions.take()).containsExactly("ok 77 gen 1 delivered 0", "adopted 77", "half-close 77");
    }

    @Test
    void shouldSurviveTheTripOfItsMessages() {
        LinkHello hello = new LinkHello(LOW, HIGH, 3, 4);
        assertThat(LinkHello.of(hello.toBytes())).isEqualTo(hello);
        LinkOk ok = new LinkOk(5, 6);
        assertThat(LinkOk.of(ok.toBytes())).isEqualTo(ok);
        for (LinkRefusal refusal :
                new LinkRefusal[] {new LinkRefusal.Stale(9), new LinkRefusal.YouFailed(), new LinkRefusal.NotMe(HIGH)
                }) {
            assertThat(LinkRefusal.of(refusal.toBytes())).isEqualTo(refusal);
        }
    }
}
