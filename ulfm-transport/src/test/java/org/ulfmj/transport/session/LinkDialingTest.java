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
}
