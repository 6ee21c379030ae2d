package org.ulfmj.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.Frames;

class FrameDecoderTest {
    private static List<Integer> decode(byte[] bytes, long seed) throws IOException {
        FrameDecoder decoder = new FrameDecoder();
        Pieces channel = new Pieces(bytes, seed);
        Frame frame = new Frame();
        List<Integer> lengths = new ArrayList<>();
        while (decoder.read(channel) > 0) {
            while (decoder.next()) {
                decoder.frame(frame);
                assertThat(decoder.sequence()).isEqualTo(lengths.size() + 1L);
                byte[] payload = new byte[frame.payloadBytes()];
                frame.received().get(payload);
                assertThat(payload).isEqualTo(Frames.bytes(payload.length, Frames.numberOf(frame)));
                lengths.add(payload.length);
            }
        }
        return lengths;
    }

    private static byte[] stream(int frames, long seed, List<Integer> lengths) throws IOException {
        Random random = new Random(seed);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 1; i <= frames; i++) {
            int length = random.nextInt(5) == 0 ? random.nextInt(Frame.MAX_PAYLOAD_BYTES + 1) : random.nextInt(50);
            lengths.add(length);
            out.write(RawPeer.envelope(i, 0, Frames.numbered(i, Frames.bytes(length, i))));
        }
        return out.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldFindTheSameFramesHoweverTheBytesAreCut(long seed) throws IOException {
        List<Integer> lengths = new ArrayList<>();
        byte[] bytes = stream(60, seed, lengths);

        assertThat(decode(bytes, seed)).as("seed " + seed).isEqualTo(lengths);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldDeliverNothingFromTheFirstWrongByteOn(long seed) throws IOException {
        List<Integer> lengths = new ArrayList<>();
        byte[] bytes = stream(20, seed, lengths);
        Random random = new Random(seed);
        for (int i = 0; i < 40; i++) {
            byte[] changed = bytes.clone();
            // Some changed bytes do not count: those of the padding behind a frame.
            int at = random.nextInt(bytes.length);
            changed[at] ^= (byte) (1 << random.nextInt(8));
            List<Integer> found;
            try {
                found = decode(changed, seed);
            } catch (WireFormatException expected) {
                continue;
            }
            assertThat(found).as("seed " + seed + " byte " + at).isEqualTo(lengths.subList(0, found.size()));
        }
    }

    @Test
    void shouldRefuseALengthBeforeItMakesRoomForIt() {
        byte[] bytes = RawPeer.envelope(1, 0, Frames.numbered(1));
        bytes[LinkEnvelope.LENGTH_OFFSET + 2] = 0x7f;

        assertThatThrownBy(() -> decode(bytes, 1))
                .isInstanceOf(WireFormatException.class)
                .hasMessageContaining("envelope around 8323");
    }

    /** Envelopes with changed fields, under a right checksum where their length allows one. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldSurviveEnvelopesWithAnyContent(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        int refused = 0;
        for (int run = 0; run < 5_000; run++) {
            byte[] bytes = RawPeer.envelope(1, 0, Frames.numbered(1, new byte[random.nextInt(64)]));
            for (int changes = random.nextInt(1, 6); changes > 0; changes--) {
                int at = random.nextInt(LinkEnvelope.LENGTH_OFFSET, bytes.length);
                bytes[at] = (byte) random.nextInt();
            }
            ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            int length = buffer.getInt(LinkEnvelope.LENGTH_OFFSET);
            if (length >= 0 && length <= bytes.length - LinkEnvelope.BYTES) {
                buffer.putInt(LinkEnvelope.CRC_OFFSET, LinkEnvelope.crcOf(buffer.duplicate(), 0, length, new CRC32C()));
            }
            refused += isRefused(bytes, seed) ? 1 : 0;
        }
        assertThat(refused).as("seed " + seed).isBetween(400, 700);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldSurviveGarbage(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        for (int run = 0; run < 200; run++) {
            byte[] garbage = new byte[random.nextInt(40, 300_000)];
            random.nextBytes(garbage);
            boolean isLong = run % 2 == 0;
            ByteBuffer.wrap(garbage)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(LinkEnvelope.LENGTH_OFFSET, isLong ? random.nextInt() : random.nextInt(garbage.length));
            // Bytes that a length announces and that never come are waited for, in no more memory than the larger of
            // the decoder's two buffers.
            isRefused(garbage, seed);
        }
    }

    /** Whether the decoder refuses the bytes with a {@link WireFormatException}; any other exception fails the test. */
    private static boolean isRefused(byte[] bytes, long seed) throws IOException {
        FrameDecoder decoder = new FrameDecoder();
        Pieces channel = new Pieces(bytes, seed);
        try {
            while (decoder.read(channel) > 0) {
                while (decoder.next()) {
                    if (decoder.type() == LinkEnvelope.DATA) {
                        decoder.frame(new Frame());
                    }
                }
            }
            return false;
        } catch (WireFormatException expected) {
            return true;
        }
    }
}
