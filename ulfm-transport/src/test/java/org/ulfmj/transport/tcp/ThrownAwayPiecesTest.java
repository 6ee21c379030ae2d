package org.ulfmj.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameType;
import org.ulfmj.transport.Frames;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.Payload;
import org.ulfmj.transport.Received;
import org.ulfmj.transport.auth.HandshakeException;

/**
 * A poll that returns 0 tells the engine that everything was read that could be read. Only then a deadline counts,
 * because a peer whose heartbeat lies unread in the socket must not seem silent.
 */
@Timeout(60)
class ThrownAwayPiecesTest {
    private static final int PIECE_BYTES = 128 * 1024;
    private static final int FIRST_BYTES = 8_000;

    private static final class Receiver extends Received {
        private final Payload payload = new BufferPayload(ByteBuffer.allocateDirect(PIECE_BYTES));
        private int placesAsked;
        private boolean hasEnded;

        @Override
        public Payload placeOf(ProcessId from, Frame chunk) {
            placesAsked++;
            return hasEnded ? null : payload;
        }

        @Override
        public void onFrame(ProcessId from, LaneKind lane, Frame frame) {
            if (frame.type() != FrameType.CHUNK) {
                super.onFrame(from, lane, frame);
            }
        }
    }

    private final TcpWorld world = new TcpWorld(2, Timing.fromTimeout(TimeUnit.SECONDS.toNanos(5)));
    private final TcpFabric fabric = world.fabric(0);
    private final Receiver receiver = new Receiver();

    @AfterEach
    void close() {
        world.close();
    }

    /** Without memory to read it into, the piece is collected in the decoder's buffer and then thrown away. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNotSayThatNothingIsLeftWhileItThrowsAPieceAway(boolean hasPlace)
            throws IOException, HandshakeException, InterruptedException {
        try (RawPeer peer = new RawPeer(fabric.port())) {
            peer.shakeHands(
                    world.secret,
                    TcpWorld.OPTIONS_HASH,
                    TcpWorld.identity(1),
                    TcpWorld.identity(0),
                    () -> fabric.pollWithSeat(receiver));
            Payload message = new BufferPayload(ByteBuffer.allocateDirect(PIECE_BYTES));
            byte[] chunk = RawPeer.envelopeWithin(1, new Frame().writeChunk(5, message, 0, PIECE_BYTES));
            peer.write(Arrays.copyOf(chunk, FIRST_BYTES));
            receiver.hasEnded = !hasPlace;
            while (receiver.placesAsked == 0) {
                fabric.pollWithSeat(receiver);
            }

            receiver.hasEnded = true; // its communicator is revoked
            peer.write(Arrays.copyOfRange(chunk, FIRST_BYTES, chunk.length));
            peer.write(RawPeer.envelope(2, 0, Frames.numbered(7))); // stands for a heartbeat
            Thread.sleep(200); // this rank stands still for a time; all lies in its kernel
            int polls = 1;
            while (fabric.pollWithSeat(receiver) > 0) {
                polls++;
            }

            assertThat(receiver.frames)
                    .as("frames that were handed over by the first poll that says that nothing is left, poll " + polls)
                    .hasSize(1);
        }
    }
}
