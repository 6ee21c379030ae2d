package org.ulfmj.transport;

import java.nio.ByteBuffer;
import java.util.Random;

/** Frames to send in tests. */
public final class Frames {
    private Frames() {}

    public static Frame numbered(int sequence) {
        return numbered(sequence, new byte[0]);
    }

    public static Frame numbered(int sequence, byte[] payload) {
        Frame frame = new Frame().reset(FrameType.EAGER);
        frame.sequence = sequence;
        frame.communicator = 0x1122334455667788L;
        frame.source = 7;
        frame.tag = -5;
        frame.length = payload.length;
        return frame.payload(new BufferPayload(ByteBuffer.wrap(payload)), 0, payload.length);
    }

    public static byte[] bytes(int count, long seed) {
        byte[] bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
