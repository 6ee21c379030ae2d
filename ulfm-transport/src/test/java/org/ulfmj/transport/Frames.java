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

    /** The sequence number that {@link #numbered} gave to a frame. */
    public static int numberOf(Frame frame) {
        return frame.sequence;
    }

    /** Sets the type of a frame, also to one that does not fit its other fields. */
    public static void setType(Frame frame, FrameType type) {
        frame.type = type;
    }

    public static void setStream(Frame frame, int stream) {
        frame.stream = stream;
    }

    public static void setFlags(Frame frame, int flags) {
        frame.flags = flags;
    }

    public static void setSequence(Frame frame, int sequence) {
        frame.sequence = sequence;
    }

    public static void setSource(Frame frame, int source) {
        frame.source = source;
    }

    public static void setLength(Frame frame, long length) {
        frame.length = length;
    }

    public static void setPeerId(Frame frame, long peerId) {
        frame.peerId = peerId;
    }

    public static byte[] bytes(int count, long seed) {
        byte[] bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
