package org.ulfmj.runtime.message;

import java.nio.ByteBuffer;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.Payload;

/**
 * A frame of the control lane that waits for room in the lane, or for the time at which it is to go. It has its
 * payload, or the message from which the payload will be written.
 */
public record Notice(Frame header, Payload payload) {
    /**
     * Makes the notice of a protocol message that does not wake its receiver. The same notice may wait for several
     * peers.
     */
    public static Notice unhurried(LateMessage message) {
        return new Notice(new Frame().writeControl(BufferPayload.EMPTY).setUnhurried(), message);
    }

    public static Notice of(Frame frame) {
        ByteBuffer copy = ByteBuffer.allocate(frame.payloadBytes());
        frame.copyPayloadTo(copy);
        return new Notice(new Frame().copyHeaderOf(frame), new BufferPayload(copy.flip()));
    }

    public void writeTo(Frame frame) {
        frame.copyHeaderOf(header).payload(payload, 0, (int) payload.lengthBytes());
    }
}
