package org.ulfmj.transport.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When a session dials, how long it waits, and when it says that the peer cannot be reached. */
class LinkDialingTest extends LinkEnds {
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
    void shouldGiveUpAHandshakeThatIsNotAnsweredAndWaitLongerForTheNext() { // L11
        low.onOffered(0);
        low.onChallenge(1, 0);
        lowActions.take();
        low.onTick(500 * MS);
        low.onTick(510 * MS);
        assertThat(lowActions.take()).containsExactly("close 1", "dial 2");
        assertThat(low.nextDeadlineNs()).isEqualTo(1_510 * MS);
    }

    /**
     * For two seconds in which not even the peer's system answers, no two successive dials are more than 540 ms apart.
     * A dial that the system answers then has 500 ms more for the peer.
     */
    @Test
    void shouldDialOftenWhileNotEvenTheSystemOfThePeerAnswers() { // L11
        lowActions.isReached = false;
        low.onOffered(0);
        int dials = 1;
        long dialedNs = 0;
        long longestNs = 0;
        while (dialedNs < 2_000 * MS) {
            long nowNs = low.nextDeadlineNs();
            low.onTick(nowNs);
            if (lowActions.lastDial() > dials) {
                dials = lowActions.lastDial();
                longestNs = Math.max(longestNs, nowNs - dialedNs);
                dialedNs = nowNs;
            }
        }
        assertThat(longestNs).isLessThanOrEqualTo(540 * MS);
        low.onReached(dials, dialedNs + 10 * MS);
        assertThat(low.nextDeadlineNs()).as("for the peer").isEqualTo(dialedNs + 510 * MS);
        low.onTick(dialedNs + 510 * MS);
        assertThat(lowActions.take()).endsWith("close " + dials);
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
        assertThat(lowActions.take()).containsOnlyOnce("lost");
        assertThat(low.isHandedOver()).as("F5").isTrue();
        assertThat(low.nextDeadlineNs() - now).isLessThanOrEqualTo(250 * MS);
        low.onTick(low.nextDeadlineNs());
        assertThat(lowActions.take()).singleElement().asString().startsWith("dial");

        low.onHello(THEIRS, fromHigh(0), now);
        low.onWrite();
        assertThat(lowActions.take())
                .as("a path that passes a HELLO may lose the rest")
                .contains("adopted 77")
                .doesNotContain("restored");
        low.onAck(THEIRS, 1, now);
        assertThat(lowActions.take()).containsExactly("restored", "acknowledged 1");
    }

    @Test
    void shouldDialAtOnceAfterALossAtTheLowerSlotAlsoWhenIdle() { // L2
        connectLow();
        acknowledgeAll();
        low.onEnd(1, 5 * MS);

        assertThat(lowActions.take()).containsExactly("close 1", "dial 2");
    }

    @Test
    void shouldDialOneStepLaterAfterALossAtTheHigherSlot() { // L2
        high.onHello(THEIRS, fromLow(1), 0);
        high.onData(THEIRS, 1, 0, false, 10, 0);
        highActions.take();
        high.onEnd(THEIRS, 5 * MS);
        assertThat(highActions.take()).containsExactly("close 77");
        assertThat(high.nextDeadlineNs()).isEqualTo(15 * MS);
        high.onTick(15 * MS);

        assertThat(highActions.take()).containsExactly("dial 1");
    }

    @Test
    void shouldBackOffWhileConnectionsEndBeforeTheyCarryAnything() { // L2
        connectLow();
        long now = 0;
        for (int lost = 1; lost <= 5; lost++) {
            low.onEnd(lost, now);
            assertThat(low.nextDeadlineNs() - now)
                    .as("after loss " + lost)
                    .isEqualTo(Math.min(40, 10L << lost - 1) * MS);
            now = low.nextDeadlineNs();
            low.onTick(now);
            low.onChallenge(lost + 1, now);
            low.onOk(lost + 1, new LinkOk(lost + 1, 0), now);
        }
        assertThat(lowActions.take()).doesNotContain("lost");
    }

    @Test
    void shouldReportAnIdleLinkLostOnceTheBudgetIsSpentAndTakeItBackWithAConnection() { // L13
        connectLow();
        acknowledgeAll();
        low.onEnd(1, 1_000 * MS);
        low.onEnd(2, 1_000 * MS);
        low.onTick(3_999 * MS);
        assertThat(lowActions.take()).doesNotContain("lost");
        low.onTick(4_000 * MS);
        assertThat(lowActions.take()).contains("lost");
        low.onHello(THEIRS, fromHigh(1), 4_100 * MS);

        assertThat(lowActions.take()).contains("restored", "adopted 77");
    }

    @Test
    void shouldGiveUpAConnectionThatBringsNoAcknowledgement() { // L11
        connectLow();
        low.onTick(60_000 * MS);
        assertThat(lowActions.take()).as("nothing is written").containsExactly("lost");
        low.onHello(THEIRS, fromHigh(1), 60_000 * MS);
        lowActions.take();
        low.onWrite();
        assertThat(low.isTimerDue(60_499 * MS)).isFalse();
        assertThat(low.nextDeadlineNs()).isEqualTo(60_500 * MS);
        low.onTick(60_500 * MS);

        assertThat(lowActions.take()).contains("close 77").doesNotContain("lost");
        assertThat(low.adopted()).isNull();
    }

    @Test
    void shouldCountTheBudgetFromTheLastAcknowledgementAcrossConnections() { // L13
        connectLow();
        low.onWrite();
        low.onTick(500 * MS);
        for (int dial = 2; low.nextDeadlineNs() < 3_000 * MS; dial++) {
            long now = low.nextDeadlineNs();
            low.onTick(now);
            low.onChallenge(dial, now);
            low.onOk(dial, new LinkOk(dial, 0), now);
            if (low.canWrite()) {
                low.onWrite();
            } else {
                dial--;
            }
        }
        assertThat(lowActions.take()).doesNotContain("lost");
        low.onTick(3_000 * MS);

        assertThat(lowActions.take()).contains("lost");
    }

    @Test
    void shouldReportALossAtOnceAndNotDialAgainWithoutResumption() {
        LinkSession<Integer> single = new LinkSession<>(LOW, HIGH, TIMING, lowActions, false);
        single.onOffered(0);
        single.onChallenge(1, 0);
        single.onOk(1, new LinkOk(1, 0), 0);
        single.onWrite();
        lowActions.take();
        assertThat(single.isTimerDue(10_000 * MS)).isFalse();
        single.onEnd(1, 0);
        single.onOffered(0);
        single.onTick(9_000 * MS);

        assertThat(lowActions.take()).containsExactly("close 1", "lost");
        assertThat(single.isHandedOver()).isTrue();
        single.onHello(THEIRS, fromHigh(1), 9_000 * MS);
        assertThat(lowActions.take()).as("a dial of the peer is accepted").contains("adopted 77");
    }

    @Test
    void shouldReportNoLossOfAnAttemptThatCrossedAnotherWithoutResumption() {
        LinkSession<Integer> single = new LinkSession<>(HIGH, LOW, TIMING, highActions, false);
        single.onOffered(0);
        single.onChallenge(1, 0);
        single.onHello(THEIRS, fromLow(1), 0);
        highActions.take();
        single.onEnd(THEIRS, 0); // the lower slot has withdrawn it for the other one
        assertThat(highActions.take()).containsExactly("close 77");
        single.onOk(1, new LinkOk(2, 0), 0);
        assertThat(highActions.take()).containsExactly("adopted 1");
        single.onEnd(1, 0);
        assertThat(highActions.take()).containsExactly("close 1", "lost");
    }

    @Test
    void shouldWaitLongEnoughInTheEndWhenThePathBecomesSlower() { // L11
        connectLow();
        acknowledgeAll();
        long now = 1_000 * MS;
        int losses = 0;
        for (long frame = 2; frame <= 9; frame++) {
            low.onOffered(now);
            low.onWrite();
            long answeredAt = now + 300 * MS;
            if (low.isTimerDue(answeredAt)) {
                losses++;
                low.onTick(now + 250 * MS);
                low.onHello(THEIRS, new LinkHello(HIGH, LOW, frame + 10, frame), answeredAt);
            } else {
                low.onAck(low.adopted(), frame, answeredAt);
            }
            now = answeredAt;
        }
        assertThat(losses).isEqualTo(1);
    }

    @Test
    void shouldLearnNothingFromTheTimeOfAnOutage() { // L11
        connectLow();
        acknowledgeAll();
        low.onOffered(0);
        low.onWrite();
        low.onTick(low.nextDeadlineNs());
        low.onHello(THEIRS, new LinkHello(HIGH, LOW, 1, 2), 2_500 * MS);
        low.onOffered(3_000 * MS);
        low.onWrite();

        assertThat(low.nextDeadlineNs()).as("doubled once, whatever the outage").isEqualTo(3_400 * MS);
    }

    private void acknowledgeAll() {
        low.onWrite();
        low.onAck(1, 1, 0);
        lowActions.take();
    }
}
