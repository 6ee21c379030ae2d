package org.ulfmj.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.transport.shm.ShmWorld;

/**
 * A sender with a trap that acts at a certain byte of a short message in shared memory, sent as a frame or by the short
 * path.
 */
class TrappedFabricTest extends MediumTest {
    private static final int STREAM = 0;
    private static final long COMMUNICATOR = 7;
    private static final int TAG = 3;
    private static final int LENGTH_BYTES = 12;
    private static final int TOTAL_BYTES = FrameLayout.HEADER_BYTES + LENGTH_BYTES;

    /** In the place of the process's end. */
    private static final class Sprung extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** A payload that counts how many of its bytes were copied. */
    private static final class Counted implements Payload {
        private final Payload bytes;
        private int copiedBytes;

        Counted(byte[] bytes) {
            this.bytes = new BufferPayload(ByteBuffer.wrap(bytes));
        }

        @Override
        public long lengthBytes() {
            return bytes.lengthBytes();
        }

        @Override
        public void copyOut(long offset, ByteBuffer target) {
            copiedBytes += target.remaining();
            bytes.copyOut(offset, target);
        }

        @Override
        public void copyIn(long offset, ByteBuffer source) {
            throw new IllegalStateException("a payload to send");
        }
    }

    @Override
    protected World newWorld(int ranks) {
        return new ShmWorld(ranks);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLetAShortMessageArriveOnlyOnceItsLastByteHasLeft(boolean isFrame) {
        byte[] bytes = Frames.bytes(LENGTH_BYTES, 1);
        for (int last = FrameLayout.HEADER_BYTES; last <= TOTAL_BYTES; last++) {
            start(2);
            offerPatiently(0, ONE, LaneKind.DATA, Frames.numbered(0));
            pollUntil(() -> received(1).frames.size() == 1, 0, 1);
            Counted message = new Counted(bytes);
            assertThatThrownBy(trapped(last, isFrame, message)::run)
                    .as("at byte %d", last)
                    .isInstanceOf(Sprung.class);
            ByteBuffer room = ByteBuffer.allocate(LENGTH_BYTES);
            int length = fabric(1).shortPath(ZERO).receive(STREAM, COMMUNICATOR, 0, TAG, new BufferPayload(room));

            int payloadBytes = last - FrameLayout.HEADER_BYTES;
            boolean isAllCopied = payloadBytes >= LENGTH_BYTES - 1; // the last byte leaves by the commit
            assertThat(message.copiedBytes).as("at byte %d", last).isEqualTo(isAllCopied ? LENGTH_BYTES : payloadBytes);
            assertThat(length).as("at byte %d", last).isEqualTo(last == TOTAL_BYTES ? LENGTH_BYTES : ShortPath.NOTHING);
            assertThat(room.array()).as("at byte %d", last).isEqualTo(length > 0 ? bytes : new byte[LENGTH_BYTES]);
        }
    }

    private Runnable trapped(int last, boolean isFrame, Payload message) {
        Fabric fabric = new TrappedFabric(fabric(0), new ByteTrap(last, () -> {
            throw new Sprung();
        }));
        if (isFrame) {
            Frame frame = new Frame().writeMessage(COMMUNICATOR, STREAM, 0, TAG, message, LENGTH_BYTES);
            return () -> fabric.offer(ONE, LaneKind.DATA, frame);
        }
        return () -> fabric.shortPath(ONE).send(STREAM, COMMUNICATOR, 0, TAG, message);
    }
}
