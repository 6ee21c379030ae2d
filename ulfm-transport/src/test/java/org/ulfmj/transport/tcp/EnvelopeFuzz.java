package org.ulfmj.transport.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.zip.CRC32C;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.sim.fuzz.FuzzTarget;
import org.ulfmj.transport.ByteChannelOf;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.Frames;

/**
 * Fuzzes the reading of a link's connection after its handshake: first the bytes as they are, and then with the
 * checksum of the first envelope put right, so that the fields behind the checksum are tried too.
 */
final class EnvelopeFuzz implements FuzzTarget {
    private final FrameDecoder decoder = new FrameDecoder();
    private final Frame frame = new Frame();
    private final CRC32C crc = new CRC32C();

    @Override
    public List<byte[]> samples() {
        byte[] small = RawPeer.envelope(1, 0, Frames.numbered(1, Frames.bytes(50, 1)));
        byte[] two = new byte[2 * small.length];
        System.arraycopy(small, 0, two, 0, small.length);
        System.arraycopy(
                RawPeer.envelope(2, 1, Frames.numbered(2, Frames.bytes(50, 2))), 0, two, small.length, small.length);
        return List.of(small, two, RawPeer.envelope(1, 0, Frames.numbered(1, Frames.bytes(3_000, 3))));
    }

    @Override
    public void parse(byte[] input) {
        WireFormatException first = null;
        try {
            decode(input);
        } catch (WireFormatException e) {
            first = e;
        }
        mend(input);
        decode(input);
        if (first != null) {
            throw first;
        }
    }

    private void decode(byte[] input) {
        decoder.reset();
        ByteChannelOf channel = new ByteChannelOf(input);
        try {
            while (decoder.read(channel) > 0) {
                while (decoder.next()) {
                    if (decoder.type() == LinkEnvelope.DATA) {
                        decoder.frame(frame);
                        frame.received().get(new byte[frame.payloadBytes()]);
                    }
                }
            }
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void mend(byte[] input) {
        if (input.length < LinkEnvelope.BYTES) {
            return;
        }
        ByteBuffer view = ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN);
        int frameBytes = view.getInt(LinkEnvelope.LENGTH_OFFSET);
        if (frameBytes >= 0 && frameBytes <= input.length - LinkEnvelope.BYTES) {
            int right = LinkEnvelope.crcOf(view.duplicate().order(ByteOrder.LITTLE_ENDIAN), 0, frameBytes, crc);
            view.putInt(LinkEnvelope.CRC_OFFSET, right);
        }
    }
}
