package org.ulfmj.transport.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;

/** The end of a link when the peer has finalized, and when this rank leaves. */
class LinkGoodbyeTest extends LinkEnds {
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
        long now = 1_000 * MS;
        while (now < 4_000 * MS) {
            assertThat(low.isDone()).isFalse();
            now = low.nextDeadlineNs();
            low.onTick(now);
        }
        assertThat(now).isEqualTo(4_000 * MS);
        assertThat(lowActions.take()).contains("lost", "close 1");
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
}
