package org.ulfmj.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.Frames;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.Received;

/** Large payloads are sent directly from the program's memory, until they are given back. */
@Timeout(120)
class BorrowedFramesTest extends TcpPair {
    private static final int PIECES = 6;
    private static final int PIECE_BYTES = 128 * 1024;

    /** Offers pieces of a message that rank 0 may send from {@code memory} until it gives the memory back. */
    private byte[] offerFromMemory(ByteBuffer memory) {
        world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(0));
        pollUntil(() -> received[1].frames.size() == 1);
        byte[] content = Frames.bytes(memory.capacity(), 11);
        memory.put(content).clear();
        for (int piece = 0; piece < PIECES; piece++) {
            Frame frame = Frames.numbered(1 + piece);
            frame.setBorrowable(true);
            if (piece == PIECES - 1) {
                frame.askForAcknowledgement();
            }
            frame.payload(new BufferPayload(memory), (long) piece * PIECE_BYTES, PIECE_BYTES);
            assertThat(world.fabric(0).offer(ONE, LaneKind.DATA, frame)).isTrue();
        }
        assertThat(world.fabric(0).borrowsFor(ONE)).isTrue();
        return content;
    }

    private byte[] contentReceived() {
        ByteBuffer all = ByteBuffer.allocate(PIECES * PIECE_BYTES);
        for (Received.Item item : received[1].frames.subList(1, 1 + PIECES)) {
            all.put(item.payload());
        }
        return all.array();
    }

    @Test
    void shouldSendFromWhereAPayloadLiesUntilItHasArrived() {
        byte[] content = offerFromMemory(ByteBuffer.allocateDirect(PIECES * PIECE_BYTES));
        pollUntil(() -> !world.fabric(0).borrowsFor(ONE));

        assertThat(received[1].frames).hasSize(1 + PIECES);
        assertThat(contentReceived()).isEqualTo(content);
    }

    /** The receiver has read no piece yet, so a piece may be half-written when the memory is given back. */
    @Test
    void shouldNotReadAPayloadThatWasGivenBack() {
        ByteBuffer memory = ByteBuffer.allocateDirect(PIECES * PIECE_BYTES);
        byte[] content = offerFromMemory(memory);
        world.fabric(0).giveBack(ONE);
        assertThat(world.fabric(0).borrowsFor(ONE)).isFalse();
        memory.put(new byte[memory.capacity()]);
        pollUntil(() -> received[1].frames.size() == 1 + PIECES);

        assertThat(contentReceived()).isEqualTo(content);
    }

    @Test
    void shouldGiveBackWhatWasOnItsWayToOneThatDied() {
        ByteBuffer memory = ByteBuffer.allocateDirect(PIECES * PIECE_BYTES);
        offerFromMemory(memory);
        world.kill(1);
        world.fabric(0).pollWithSeat(received[0]);
        world.fabric(0).giveBack(ONE);
        memory.put(new byte[memory.capacity()]);
        world.fabric(0).abandon(ONE);
        world.fabric(0).pollWithSeat(received[0]);

        assertThat(world.fabric(0).borrowsFor(ONE)).isFalse();
        assertThat(received[0].frames).isEmpty();
    }
}
