package org.ulfmj.transport.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Frames over one connection after another are delivered in order and once, and are acknowledged. */
class LinkDeliveryTest extends LinkEnds {
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
        assertThat(lowActions.take())
                .as("a gap")
                .containsExactly("distrusted 1: frame 4 after frame 2", "close 1", "dial 2");
    }

    @Test
    void shouldDeliverFromTheAdoptedConnectionOnly() { // L9
        connectLow();
        low.onHello(THEIRS, fromHigh(1), 0);

        assertThat(low.onData(1, 1, 0, false, 10, 0)).isFalse();
        assertThat(low.onData(THEIRS, 1, 0, false, 10, 0)).isTrue();
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
    void shouldCloseAConnectionThatAcknowledgesWhatWasNeverWritten() { // L8
        connectLow();
        low.onAck(1, 1, 0);
        assertThat(lowActions.take())
                .containsExactly("distrusted 1: an acknowledgement of frame 1 of 0 written", "close 1");

        low.onTick(10 * MS);
        low.onChallenge(2, 10 * MS);
        lowActions.take();
        low.onOk(2, new LinkOk(2, 5), 10 * MS);
        assertThat(lowActions.take())
                .containsExactly("distrusted 2: an acknowledgement of frame 5 of 0 written", "close 2");
        assertThat(low.adopted()).isNull();

        low.onHello(THEIRS, new LinkHello(HIGH, LOW, 1, 3), 20 * MS);
        assertThat(lowActions.take())
                .containsExactly("distrusted 77: an acknowledgement of frame 3 of 0 written", "close 77");
        assertThat(low.adopted()).isNull();
    }
}
