package org.ulfmj.transport.auth;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ByteChannel;

/**
 * Messages of a handshake on a non-blocking channel: two bytes of length, little endian, then the message. It never
 * reads beyond a message, so that bytes behind the handshake stay in the channel. Not thread-safe.
 */
public final class HandshakeStream {
    private final ByteChannel channel;
    private final ByteBuffer lengthIn = ByteBuffer.allocate(2).order(ByteOrder.LITTLE_ENDIAN);
    private ByteBuffer messageIn;
    private ByteBuffer out = ByteBuffer.allocate(0);

    public HandshakeStream(ByteChannel channel) {
        this.channel = channel;
    }

    /**
     * The next message, or null if it is not all there yet.
     *
     * @throws HandshakeException if its length is out of range; no memory is allocated for it
     * @throws EOFException at the end of the stream
     */
    public byte[] read() throws IOException, HandshakeException {
        if (messageIn == null) {
            if (!fill(lengthIn)) {
                return null;
            }
            int length = lengthIn.getShort(0) & 0xffff;
            if (length == 0 || length > Handshake.MAX_MESSAGE_BYTES) {
                throw new HandshakeException("message of " + length + " bytes in a handshake");
            }
            messageIn = ByteBuffer.allocate(length);
        }
        if (!fill(messageIn)) {
            return null;
        }
        byte[] message = messageIn.array();
        messageIn = null;
        lengthIn.clear();
        return message;
    }

    private boolean fill(ByteBuffer target) throws IOException {
        while (target.hasRemaining()) {
            int count = channel.read(target);
            if (count < 0) {
                throw new EOFException("connection ended during the handshake");
            }
            if (count == 0) {
                return false;
            }
        }
        return true;
    }

    /** Writes a message, or as much of it as the channel takes; {@link #flush} writes the rest. */
    public void write(byte[] message) throws IOException {
        ByteBuffer all =
                ByteBuffer.allocate(out.remaining() + 2 + message.length).order(ByteOrder.LITTLE_ENDIAN);
        all.put(out).putShort((short) message.length).put(message).flip();
        out = all;
        flush();
    }

    /** Writes as much as the channel takes. Returns whether all messages are written. */
    public boolean flush() throws IOException {
        while (out.hasRemaining() && channel.write(out) > 0) {
            // writes as long as the channel takes bytes
        }
        return !out.hasRemaining();
    }
}
