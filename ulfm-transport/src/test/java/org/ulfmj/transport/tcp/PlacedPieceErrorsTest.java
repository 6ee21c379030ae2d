package org.ulfmj.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameType;
import org.ulfmj.transport.Frames;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.Payload;
import org.ulfmj.transport.Received;

/**
 * An exception that the engine throws while it takes a piece reaches the caller of the poll, whether or not the piece
 * was read into its place.
 */
@Timeout(60)
class PlacedPieceErrorsTest extends TcpPair {
    private static final int PIECE_BYTES = Frame.MAX_PAYLOAD_BYTES;

    private static final class Receiver extends Received {
        private final Payload payload = new BufferPayload(ByteBuffer.allocateDirect(PIECE_BYTES));
        private boolean hasPlace;
        private int pieces;

        @Override
        public Payload placeOf(ProcessId from, Frame chunk) {
            return hasPlace ? payload : null;
        }

        @Override
        public void onFrame(ProcessId from, LaneKind lane, Frame frame) {
            if (frame.type() == FrameType.CHUNK) {
                pieces++;
                throw new WireFormatException("thrown by the engine");
            }
            super.onFrame(from, lane, frame);
        }
    }

    private final Receiver receiver = new Receiver();

    PlacedPieceErrorsTest() {
        received[1] = receiver;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldThrowWhatTheEngineThrows(boolean hasPlace) {
        receiver.hasPlace = hasPlace;
        world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(0));
        pollUntil(() -> receiver.frames.size() == 1);
        Payload message = new BufferPayload(ByteBuffer.allocateDirect(PIECE_BYTES));
        world.fabric(0).offer(ONE, LaneKind.DATA, new Frame().writeChunk(5, message, 0, PIECE_BYTES));

        assertThatThrownBy(() -> pollUntil(() -> receiver.pieces == 1))
                .isInstanceOf(WireFormatException.class)
                .hasMessage("thrown by the engine");
        assertThat(receiver.pieces).isEqualTo(1);
    }
}
