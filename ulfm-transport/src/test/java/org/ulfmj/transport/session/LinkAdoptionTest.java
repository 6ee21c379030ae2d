package org.ulfmj.transport.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * Which of several connections a session adopts, no matter which side dialed it: the generation numbers in the messages
 * of their handshakes decide.
 */
class LinkAdoptionTest extends LinkEnds {
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

        // The lower slot has meanwhile accepted the dial of the higher one, and has withdrawn its own.
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
}
