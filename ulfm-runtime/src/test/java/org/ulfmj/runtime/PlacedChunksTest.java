package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.message.MessageKey;
import org.ulfmj.runtime.transfer.Operation;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.Payload;

/** Tests into which memory of the program a medium may place a piece of a large message directly, and until when. */
class PlacedChunksTest {
    private static final ProcessId ONE = ProcessId.of(1);
    private static final ProcessId TWO = ProcessId.of(2);
    private static final int TAG = 7;
    private static final int SENDER_ID = 5;
    /** The handshake number that rank 0 gives to the first message for whose bytes it asks. */
    private static final int RECEIVER_ID = 1;

    private static final int OFFERED_BYTES = 800;

    private final LocalRanks ranks = new LocalRanks(3);
    private final RankEngine engine = ranks.rank(0).engine();
    private final Communicator world = ranks.rank(0).world();

    @BeforeEach
    void enter() {
        engine.enter();
    }

    @AfterEach
    void leave() {
        engine.leave();
        ranks.close();
    }

    private Operation receive(ByteBuffer memory) {
        Operation receive = world.receive(new BufferPayload(memory), 1, TAG);
        Frame offer = new Frame()
                .writeOffer(world.id(), MessageKey.POINT_TO_POINT, 1, TAG, OFFERED_BYTES)
                .setSenderId(SENDER_ID);
        engine.inbound().onFrame(ONE, LaneKind.DATA, offer.receive(ByteBuffer.allocate(0)));
        return receive;
    }

    private static Frame chunk(long receiverId, long position, int bytes) {
        return new Frame()
                .writeChunk(receiverId, BufferPayload.EMPTY, position, 0)
                .receivePlaced(bytes);
    }

    private Payload placeOf(Frame chunk) {
        return engine.inbound().placeOf(ONE, chunk);
    }

    @Test
    void shouldPlaceThePiecesOfAMessageOneAfterTheOther() {
        ByteBuffer memory = ByteBuffer.allocateDirect(1000).position(100);
        Operation receive = receive(memory);

        Frame first = chunk(RECEIVER_ID, 0, 300);
        assertThat(placeOf(first).memory()).isSameAs(memory);
        assertThat(placeOf(first).memoryOffset()).isEqualTo(100);
        assertThat(placeOf(chunk(RECEIVER_ID, 300, 500)))
                .as("not the next piece")
                .isNull();
        engine.inbound().onFrame(ONE, LaneKind.DATA, first);
        assertThat(placeOf(first)).as("once more").isNull();
        Frame last = chunk(RECEIVER_ID, 300, 500);
        assertThat(placeOf(last).memory()).isSameAs(memory);
        engine.inbound().onFrame(ONE, LaneKind.DATA, last);

        assertThat(receive.isDone()).isTrue();
        assertThat(receive.lengthBytes()).isEqualTo(OFFERED_BYTES);
        assertThat(placeOf(last)).as("the memory belongs to the program").isNull();
    }

    @Test
    void shouldPlaceNothingThatIsNotAwaited() {
        receive(ByteBuffer.allocateDirect(1000));

        assertThat(placeOf(chunk(RECEIVER_ID + 1, 0, 300))).as("another number").isNull();
        assertThat(placeOf(chunk(RECEIVER_ID, 0, OFFERED_BYTES + 1)))
                .as("longer than the message")
                .isNull();
        assertThat(engine.inbound().placeOf(TWO, chunk(RECEIVER_ID, 0, 300)))
                .as("another rank")
                .isNull();
        assertThat(engine.inbound().placeOf(ProcessId.of(9), chunk(RECEIVER_ID, 0, 300)))
                .as("a process that was not introduced")
                .isNull();
    }

    @Test
    void shouldPlaceNothingBehindTheEndOfTheMemory() {
        receive(ByteBuffer.allocateDirect(500));

        assertThat(placeOf(chunk(RECEIVER_ID, 0, 500))).isNotNull();
        assertThat(placeOf(chunk(RECEIVER_ID, 0, 501))).isNull();
    }

    @Test
    void shouldPlaceNothingInAnArray() {
        receive(ByteBuffer.allocate(1000));

        assertThat(placeOf(chunk(RECEIVER_ID, 0, 300))).isNull();
    }

    @Test
    void shouldPlaceNothingOnceTheReceiveHasFailed() {
        Operation receive = receive(ByteBuffer.allocateDirect(1000));
        world.recovery().revoke();

        assertThat(receive.isDone()).isTrue();
        assertThat(placeOf(chunk(RECEIVER_ID, 0, 300))).isNull();
    }
}
