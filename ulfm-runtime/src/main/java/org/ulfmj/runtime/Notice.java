package org.ulfmj.runtime;

import java.nio.ByteBuffer;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameType;

/** A frame of the control lane that waits, for room or for its time, with a copy of its payload. */
record Notice(
        FrameType type,
        int flags,
        long communicator,
        int tag,
        long length,
        long id,
        long peerId,
        BufferPayload payload) {
    static Notice of(Frame frame) {
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

    void writeTo(Frame frame) {
        frame.reset(type).flags = flags;
        frame.communicator = communicator;
        frame.tag = tag;
        frame.length = length;
        frame.id = id;
        frame.peerId = peerId;
        frame.payload(payload, 0, (int) payload.lengthBytes());
    }
}
