package org.ulfmj.runtime;

import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameType;

/** A frame of the control lane that found no room and waits for it. */
record Notice(FrameType type, long communicator, int tag, long length, long id, long peerId, BufferPayload payload) {
    static Notice of(Frame frame) {
        return new Notice(
                frame.type, frame.communicator, frame.tag, frame.length, frame.id, frame.peerId, (BufferPayload)
                        frame.payload);
    }

    void writeTo(Frame frame) {
        frame.reset(type);
        frame.communicator = communicator;
        frame.tag = tag;
        frame.length = length;
        frame.id = id;
        frame.peerId = peerId;
        frame.payload(payload, 0, (int) payload.lengthBytes());
    }
}
