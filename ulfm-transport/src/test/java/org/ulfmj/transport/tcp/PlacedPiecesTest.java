package org.ulfmj.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameType;
import org.ulfmj.transport.Frames;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.Payload;
import org.ulfmj.transport.Received;
import org.ulfmj.transport.tcp.LinkFault.Kind;

/** Pieces of a large message between two ranks over real sockets: the receiver reads them into the program's memory. */
@Timeout(120)
class PlacedPiecesTest extends TcpPair {
    private static final long MS = 1_000_000;
    private static final int MESSAGE_BYTES = 8 << 20;
    private static final int PIECE_BYTES = Frame.MAX_PAYLOAD_BYTES;
    private static final int RECEIVER_ID = 5;

    /** Receives the pieces of one message, as the engine of a rank does. */
    private static final class Receiver extends Received {
        final ByteBuffer memory = ByteBuffer.allocateDirect(MESSAGE_BYTES);
        private final Payload payload = new BufferPayload(memory);
        long arrivedBytes;
        int placed;
        boolean hasEnded;
        /** How many bytes have to arrive before the receive ends. */
        long endAt = Long.MAX_VALUE;

        @Override
        public Payload placeOf(ProcessId from, Frame chunk) {
            assertThat(chunk.receiverId()).isEqualTo(RECEIVER_ID);
            hasEnded |= arrivedBytes >= endAt;
            return hasEnded || chunk.position() != arrivedBytes ? null : payload;
        }

        @Override
        public void onFrame(ProcessId from, LaneKind lane, Frame frame) {
            if (frame.type() != FrameType.CHUNK) {
                super.onFrame(from, lane, frame);
                return;
            }
            if (hasEnded) {
                return;
            }
            assertThat(frame.position()).isEqualTo(arrivedBytes);
            if (frame.isPlaced()) {
                placed++;
            } else {
                payload.copyIn(arrivedBytes, frame.received());
            }
            arrivedBytes += frame.payloadBytes();
        }
    }

    private final Receiver receiver = new Receiver();
    private final ByteBuffer message = ByteBuffer.allocateDirect(MESSAGE_BYTES)
            .put(Frames.bytes(MESSAGE_BYTES, 9))
            .clear();

    PlacedPiecesTest() {
        received[1] = receiver;
    }

    private void send() {
        offer(Frames.numbered(0));
        pollUntil(() -> receiver.frames.size() == 1);
        for (int position = 0; position < MESSAGE_BYTES; position += PIECE_BYTES) {
            Frame chunk = new Frame().writeChunk(RECEIVER_ID, new BufferPayload(message), position, PIECE_BYTES);
            offer(chunk.setBorrowable(true));
        }
        offer(Frames.numbered(1));
        pollUntil(() -> receiver.frames.size() == 2);
    }

    /** Offers a frame, and polls until there is room for it. */
    private void offer(Frame frame) {
        boolean isTaken = world.fabric(0).offer(ONE, LaneKind.DATA, frame);
        while (!isTaken) {
            poll();
            isTaken = world.fabric(0).offer(ONE, LaneKind.DATA, frame);
        }
    }

    @Test
    void shouldReadMostPiecesIntoTheirPlace() {
        send();

        assertThat(receiver.arrivedBytes).isEqualTo(MESSAGE_BYTES);
        assertThat(receiver.memory).isEqualTo(message);
        assertThat(receiver.placed).isGreaterThan(MESSAGE_BYTES / PIECE_BYTES / 2);
        shouldStillWork();
    }

    @Test
    void shouldThrowTheRestAwayOnceTheReceiveHasEnded() {
        receiver.endAt = MESSAGE_BYTES / 2;
        send();

        assertThat(receiver.hasEnded).isTrue();
        assertThat(receiver.arrivedBytes).isEqualTo(MESSAGE_BYTES / 2);
        assertThat(receiver.memory.limit(MESSAGE_BYTES / 2)).isEqualTo(message.limit(MESSAGE_BYTES / 2));
        ByteBuffer rest = receiver.memory.clear().position(MESSAGE_BYTES / 2 + PIECE_BYTES);
        assertThat(rest).isEqualTo(ByteBuffer.allocate(rest.remaining()));
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"DROP", "DUP", "REORDER", "CORRUPT", "DELAY", "RESET"})
    void shouldLoseNoPieceUnderFaults(Kind kind) {
        double probability = kind == Kind.DELAY || kind == Kind.RESET ? 1 : 0.1;
        LinkTerms terms = new LinkTerms(kind == Kind.RESET ? 4 * MS : 1 * MS, 0, probability, 0, 7);
        LinkFault fault = new LinkFault(1, kind, SlotEnds.ALL, 0, Long.MAX_VALUE, terms);
        for (int slot = 0; slot < 2; slot++) {
            world.fabric(slot).injectFaults(new LinkFaults(slot, List.of(fault)));
            world.fabric(slot).tellFaults(rule -> {});
            world.fabric(slot).beginFaults();
        }
        send();

        assertThat(receiver.arrivedBytes).isEqualTo(MESSAGE_BYTES);
        assertThat(receiver.memory).isEqualTo(message);
        assertThat(receiver.placed).isPositive();
    }
}
