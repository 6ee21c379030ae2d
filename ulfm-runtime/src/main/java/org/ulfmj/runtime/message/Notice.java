package org.ulfmj.runtime.message;

import java.nio.ByteBuffer;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameType;
import org.ulfmj.transport.Payload;

/**
 * A frame of the control lane that waits, for room or for its time, with its payload or what that will be written from.
 */
public record Notice(
        FrameType type, int flags, long communicator, int tag, long length, long id, long peerId, Payload payload) {
    /** A protocol message that wakes no rank; the same may wait for several peers. */
    public static Notice unhurried(LateMessage message) {
        return new Notice(FrameType.CONTROL, Frame.UNHURRIED, 0, 0, 0, 0, 0, message);
    }

    public static Notice of(Frame frame) {
        ByteBuffer copy = ByteBuffer.allocate(frame.payloadBytes);
        if (frame.payloadBytes > 0) {
            frame.payload.copyOut(frame.payloadOffset, copy);
        }
        return new Notice(
                frame.type,
                frame.flags,
                frame.communicator,
                frame.tag,
                frame.length,
                frame.id,
                frame.peerId,
                new BufferPayload(copy.flip()));
    }

    public void writeTo(Frame frame) {
        frame.reset(type).flags = flags;
        frame.communicator = communicator;
        frame.tag = tag;
        frame.length = length;
        frame.id = id;
        frame.peerId = peerId;
        frame.payload(payload, 0, (int) payload.lengthBytes());
    }
}
