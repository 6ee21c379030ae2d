package org.ulfmj.runtime.message;

import java.nio.ByteBuffer;
import org.ulfmj.agree.message.ControlCodec;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.transport.Payload;

/**
 * A protocol message that is sent later. Its bytes are written when it is sent, and only once, even if it goes to
 * several peers.
 */
public final class LateMessage implements Payload {
    private final ControlMessage message;
    /** The bytes of the message; null until it is sent. */
    private byte[] bytes;

    public LateMessage(ControlMessage message) {
        this.message = message;
    }

    public boolean isOf(ControlMessage other) {
        return message == other;
    }

    @Override
    public long lengthBytes() {
        if (bytes == null) {
            bytes = ControlCodec.encode(message);
        }
        return bytes.length;
    }

    @Override
    public void copyOut(long offset, ByteBuffer target) {
        target.put(bytes, (int) offset, target.remaining());
    }

    @Override
    public void copyIn(long offset, ByteBuffer source) {
        throw new UnsupportedOperationException("nothing is received into a message that is put off here");
    }
}
