package org.ulfmj.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameLayout;
import org.ulfmj.transport.FrameType;
import org.ulfmj.transport.Frames;
import org.ulfmj.transport.Payload;

/** Pieces of one message among short frames: long ones are read straight into the memory of the receive. */
class DirectPlacementTest {
    private static final int MESSAGE_BYTES = 3_000_000;
    private static final int RECEIVER_ID = 12;
    /** So that a byte written beside the message is seen. */
    private static final int MARGIN = 64;

    private static final long ENDED = -1;

    private final byte[] content = Frames.bytes(MESSAGE_BYTES, 3);
    private final ByteBuffer memory = ByteBuffer.allocateDirect(MESSAGE_BYTES + 2 * MARGIN);
    private final Payload receive =
            new BufferPayload(memory.duplicate().position(MARGIN).limit(MARGIN + MESSAGE_BYTES));

    private long arrivedBytes;
    private int shortFrames;
    private int placed;
    /** What had arrived when the receive ended; null if it has not ended. */
    private byte[] arrivedAtEnd;

    private int framesAfterEnd;
    /** The number of times the place of a piece is given; then the receive has ended. */
    private int placesLeft = Integer.MAX_VALUE;

    private final DirectPlacement placement = new DirectPlacement(this::placeOf);

    private Payload placeOf(Frame chunk) {
        if (chunk.receiverId() != RECEIVER_ID || chunk.position() != arrivedBytes) {
            return null;
        }
        if (placesLeft == 0) {
            arrivedAtEnd = arrived();
            arrivedBytes = ENDED;
            return null;
        }
        placesLeft--;
        return receive;
    }

    private byte[] stream(long seed, boolean isPayloadChecked) throws IOException {
        Random random = new Random(seed);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Payload message = new BufferPayload(ByteBuffer.wrap(content));
        int sequence = 0;
        for (int position = 0; position < MESSAGE_BYTES; ) {
            while (random.nextInt(3) == 0) {
                out.write(RawPeer.envelope(++sequence, 0, Frames.numbered(sequence, new byte[random.nextInt(50)])));
            }
            int most = random.nextInt(4) == 0 ? 40_000 : Frame.MAX_PAYLOAD_BYTES;
            int bytes = Math.min(1 + random.nextInt(most), MESSAGE_BYTES - position);
            bytes = random.nextInt(3) == 0 ? bytes : (bytes + 7 & ~7);
            bytes = Math.min(Math.min(bytes, Frame.MAX_PAYLOAD_BYTES), MESSAGE_BYTES - position);
            Frame chunk = new Frame().writeChunk(RECEIVER_ID, message, position, bytes);
            out.write(envelope(++sequence, chunk, isPayloadChecked));
            position += bytes;
        }
        return out.toByteArray();
    }

    private static byte[] envelope(int sequence, Frame frame, boolean isPayloadChecked) {
        byte[] bytes = RawPeer.envelope(sequence, 0, frame);
        if (!isPayloadChecked) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            int frameBytes = FrameLayout.totalBytes(frame);
            LinkEnvelope.begin(buffer, 0, LinkEnvelope.DATA, LinkEnvelope.FLAG_HEADERS_CHECKED, frameBytes);
            LinkEnvelope.finish(
                    buffer, buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN), 0, sequence, 0, new CRC32C());
        }
        return bytes;
    }

    /** Reads all bytes as a connection does. */
    private void read(byte[] bytes, long seed) throws IOException {
        FrameDecoder decoder = new FrameDecoder();
        Pieces channel = new Pieces(bytes, seed);
        ByteBuffer waste = ByteBuffer.allocateDirect(4096);
        Frame frame = new Frame();
        int count;
        do {
            count = placement.isUnderWay() ? placement.read(channel, decoder, waste.clear()) : decoder.read(channel);
            if (placement.isUnderWay() && placement.isComplete()) {
                placed++;
                take(placement.finish(decoder));
            }
            while (!placement.isUnderWay() && decoder.next()) {
                take(decoder.frame(frame));
            }
            if (!placement.isUnderWay()) {
                placement.begin(decoder, frame);
            }
        } while (count > 0);
    }

    private void take(Frame frame) {
        if (arrivedBytes == ENDED) {
            framesAfterEnd++;
            return;
        }
        if (frame.type() != FrameType.CHUNK) {
            shortFrames++;
            return;
        }
        assertThat(frame.position()).isEqualTo(arrivedBytes);
        if (!frame.isPlaced()) {
            receive.copyIn(arrivedBytes, frame.received());
        }
        arrivedBytes += frame.payloadBytes();
    }

    private byte[] arrived() {
        byte[] bytes = new byte[MESSAGE_BYTES];
        memory.get(MARGIN, bytes);
        return bytes;
    }

    private void requireMargins() {
        for (int i = 0; i < MARGIN; i++) {
            assertThat(memory.get(i)).isZero();
            assertThat(memory.get(MARGIN + MESSAGE_BYTES + i)).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"1, true", "2, true", "3, true", "4, false", "5, false", "6, false"})
    void shouldReadTheSameMessageHoweverTheBytesAreCut(long seed, boolean isPayloadChecked) throws IOException {
        read(stream(seed, isPayloadChecked), seed);

        assertThat(arrivedBytes).isEqualTo(MESSAGE_BYTES);
        assertThat(arrived()).isEqualTo(content);
        requireMargins();
        assertThat(placed).as("pieces that were read into their place").isGreaterThan(5);
        assertThat(shortFrames).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"1, true", "2, false", "3, true", "4, false"})
    void shouldWriteNothingOnceTheReceiveHasEnded(long seed, boolean isPayloadChecked) throws IOException {
        placesLeft = 4;
        read(stream(seed, isPayloadChecked), seed);

        assertThat(arrivedAtEnd).as("the receive has ended").isNotNull();
        assertThat(arrived()).isEqualTo(arrivedAtEnd);
        assertThat(framesAfterEnd).isGreaterThan(2);
    }

    @ParameterizedTest
    @CsvSource({"1, true", "2, true", "3, false", "4, false"})
    void shouldTakeNoPieceWithAWrongByte(long seed, boolean isPayloadChecked) throws IOException {
        byte[] bytes = stream(seed, isPayloadChecked);
        Random random = new Random(seed);
        int refused = 0;
        for (int run = 0; run < 20; run++) {
            byte[] changed = bytes.clone();
            changed[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            DirectPlacementTest other = new DirectPlacementTest();
            try {
                other.read(changed, seed);
            } catch (WireFormatException expected) {
                refused++;
            }
            other.requireMargins();
            if (isPayloadChecked) {
                int upTo = (int) other.arrivedBytes;
                assertThat(Arrays.equals(other.arrived(), 0, upTo, content, 0, upTo))
                        .as("seed " + seed + " run " + run)
                        .isTrue();
            }
        }
        assertThat(refused).isGreaterThanOrEqualTo(isPayloadChecked ? 15 : 0);
    }

    @Test
    void shouldFindAWrongHeaderBeforeItAsksForAPlace() throws IOException {
        Payload message = new BufferPayload(ByteBuffer.wrap(content));
        byte[] bytes = envelope(1, new Frame().writeChunk(RECEIVER_ID, message, 0, 200_000), false);
        bytes[LinkEnvelope.BYTES + FrameLayout.HEADER_BYTES - 1] ^= 1;
        FrameDecoder decoder = new FrameDecoder();
        decoder.read(new Pieces(Arrays.copyOf(bytes, 50_000), 1));

        assertThat(placement.begin(decoder, new Frame())).isFalse();
        assertThat(placesLeft).isEqualTo(Integer.MAX_VALUE);
    }
}
