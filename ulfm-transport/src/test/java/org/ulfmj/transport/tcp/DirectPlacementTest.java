package org.ulfmj.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameLayout;
import org.ulfmj.transport.FrameType;
import org.ulfmj.transport.Frames;
import org.ulfmj.transport.Payload;

/**
 * Pieces of one message among short frames: pieces that are long enough are read straight into the memory of the
 * receive.
 */
class DirectPlacementTest {
    private static final int MESSAGE_BYTES = 3_000_000;
    private static final int RECEIVER_ID = 12;
    /** Bytes in front of the message and behind it, in which a wrong write is noticed. */
    private static final int MARGIN = 64;

    private static final long ENDED = -1;

    private final byte[] content = Frames.bytes(MESSAGE_BYTES, 3);
    private final ByteBuffer memory = ByteBuffer.allocateDirect(MESSAGE_BYTES + 2 * MARGIN);
    private final Payload receive =
            new BufferPayload(memory.duplicate().position(MARGIN).limit(MARGIN + MESSAGE_BYTES));

    private long arrivedBytes;
    private int shortFrames;
    private int placed;
    /** The content of the receive's memory when the receive ended; null if it has not ended. */
    private byte[] arrivedAtEnd;

    private int framesAfterEnd;
    /** How often the memory for a piece is still given; then the receive ends. */
    private int placesLeft = Integer.MAX_VALUE;

    private final FrameDecoder decoder = new FrameDecoder();
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

    private byte[] stream(long seed) throws IOException {
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
            out.write(RawPeer.envelopeWithin(++sequence, chunk));
            position += bytes;
        }
        return out.toByteArray();
    }

    /** Reads all bytes as a connection does. */
    private void read(byte[] bytes, long seed) throws IOException {
        Pieces channel = new Pieces(bytes, seed);
        Frame frame = new Frame();
        int count;
        do {
            count = placement.isUnderWay() ? placement.read(channel, decoder) : decoder.read(channel);
            if (placement.isUnderWay() && placement.isComplete()) {
                placed++;
                take(placement.finish());
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
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldReadTheSameMessageHoweverTheBytesAreCut(long seed) throws IOException {
        read(stream(seed), seed);

        assertThat(arrivedBytes).isEqualTo(MESSAGE_BYTES);
        assertThat(arrived()).isEqualTo(content);
        requireMargins();
        assertThat(placed).as("pieces that were read into their place").isGreaterThan(5);
        assertThat(shortFrames).isPositive();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldWriteNothingOnceTheReceiveHasEnded(long seed) throws IOException {
        placesLeft = 4;
        read(stream(seed), seed);

        assertThat(arrivedAtEnd).as("the receive has ended").isNotNull();
        assertThat(arrived()).isEqualTo(arrivedAtEnd);
        assertThat(framesAfterEnd).isGreaterThan(2);
    }

    /**
     * Without encrypted records, a payload that the checksum covers is not read straight into the program's memory,
     * where a wrong one could not be taken back.
     */
    @Test
    void shouldNotPlaceWhatAChecksumCovers() throws IOException {
        Payload message = new BufferPayload(ByteBuffer.wrap(content));
        byte[] bytes = RawPeer.envelope(1, 0, new Frame().writeChunk(RECEIVER_ID, message, 0, 200_000));
        read(bytes, 1);

        assertThat(placed).isZero();
        assertThat(arrivedBytes).isEqualTo(200_000);
    }

    @Test
    void shouldPlaceTheContentOfRecordsWhichAreCheckedByThemselves() throws IOException {
        Payload message = new BufferPayload(ByteBuffer.wrap(content));
        byte[] bytes = RawPeer.envelope(1, 0, new Frame().writeChunk(RECEIVER_ID, message, 0, 200_000));
        decoder.trustChecks();
        read(bytes, 1);

        assertThat(placed).isEqualTo(1);
        assertThat(arrivedBytes).isEqualTo(200_000);
    }

    @Test
    void shouldFindAWrongHeaderBeforeItAsksForAPlace() throws IOException {
        Payload message = new BufferPayload(ByteBuffer.wrap(content));
        byte[] bytes = RawPeer.envelopeWithin(1, new Frame().writeChunk(RECEIVER_ID, message, 0, 200_000));
        bytes[LinkEnvelope.BYTES + FrameLayout.HEADER_BYTES - 1] ^= 1;
        decoder.read(new Pieces(Arrays.copyOf(bytes, 50_000), 1));

        assertThat(placement.begin(decoder, new Frame())).isFalse();
        assertThat(placesLeft).isEqualTo(Integer.MAX_VALUE);
    }
}
