package org.ulfmj.rendezvous.message;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.transport.auth.RecordKeys;
import org.ulfmj.transport.record.RecordChannel;

/**
 * Whole messages on a non-blocking channel: four bytes of length, little endian, then the message. Never waits: what
 * the channel does not take is kept in order. Not thread-safe.
 */
public final class MessageChannel {
    /**
     * The most bytes that may wait to be written. Beyond that the peer counts as not reading, and the connection as
     * broken.
     */
    private static final long MAX_WAITING_BYTES = 64L << 20;

    private final ByteChannel channel;
    /** The channel, if it carries encrypted records; null if not. */
    private final RecordChannel records;

    private final ByteBuffer in = ByteBuffer.allocate(8 << 10).order(ByteOrder.LITTLE_ENDIAN);
    private final Deque<ByteBuffer> waiting = new ArrayDeque<>();
    private ByteBuffer message;
    private long waitingBytes;
    private long bytesRead;

    MessageChannel(ByteChannel channel) {
        this(channel, null);
    }

    /** Messages in encrypted records. */
    MessageChannel(RecordChannel channel) {
        this(channel, channel);
    }

    private MessageChannel(ByteChannel channel, RecordChannel records) {
        this.channel = channel;
        this.records = records;
        in.flip();
    }

    /**
     * Makes the channel for the messages of a connection whose handshake has ended, in encrypted records if there are
     * keys for them.
     */
    public static MessageChannel of(SocketChannel channel, RecordKeys keys) {
        return keys == null
                ? new MessageChannel(channel)
                : new MessageChannel(new RecordChannel(keys, channel, channel, RecordChannel.DEFAULT_LIMIT_BYTES));
    }

    /**
     * The next message, or null if it has not arrived completely.
     *
     * @throws EOFException at the end of the stream
     * @throws IOException if the connection broke, or if a length is out of range: nothing is allocated for it then
     */
    byte[] read() throws IOException {
        while (true) {
            if (message == null && in.remaining() >= Integer.BYTES) {
                message = ByteBuffer.allocate(checkedLength(in.getInt()));
            }
            if (message != null) {
                takeFromBuffer();
                if (!message.hasRemaining()) {
                    byte[] whole = message.array();
                    message = null;
                    return whole;
                }
            }
            if (!readMore()) {
                return null;
            }
        }
    }

    /** How many bytes have arrived, those of an incomplete message included. */
    public long bytesRead() {
        return bytesRead;
    }

    /**
     * As {@link #read}, decoded.
     *
     * @throws IOException also if the message is malformed
     */
    public RendezvousMessage readMessage() throws IOException {
        byte[] bytes = read();
        if (bytes == null) {
            return null;
        }
        try {
            return RendezvousCodec.decode(bytes);
        } catch (WireFormatException e) {
            throw new IOException("malformed message: " + e.getMessage(), e);
        }
    }

    private static int checkedLength(int length) throws IOException {
        if (length < 1 || length > RendezvousCodec.MAX_MESSAGE_BYTES) {
            throw new IOException(
                    "message of " + length + " bytes, 1 to " + RendezvousCodec.MAX_MESSAGE_BYTES + " are possible");
        }
        return length;
    }

    private void takeFromBuffer() {
        int count = Math.min(in.remaining(), message.remaining());
        message.put(in.array(), in.position(), count);
        in.position(in.position() + count);
    }

    private boolean readMore() throws IOException {
        int count;
        if (message != null && message.remaining() > in.capacity()) {
            count = channel.read(message);
        } else {
            in.compact();
            count = channel.read(in);
            in.flip();
        }
        if (count < 0) {
            throw new EOFException("the other end closed the connection");
        }
        bytesRead += count;
        return count > 0;
    }

    /** Sends a message after those that wait, as far as the channel takes them now; the rest is kept. */
    public void write(byte[] body) throws IOException {
        keep(body);
        flush();
    }

    /** Keeps a message until the next {@link #flush}. */
    public void keep(byte[] body) throws IOException {
        ByteBuffer whole = ByteBuffer.allocate(Integer.BYTES + body.length).order(ByteOrder.LITTLE_ENDIAN);
        whole.putInt(body.length).put(body).flip();
        waitingBytes += whole.remaining();
        if (waitingBytes > MAX_WAITING_BYTES) {
            throw new IOException("the other end does not read: " + waitingBytes + " bytes wait for it");
        }
        waiting.add(whole);
    }

    /**
     * Writes the bytes that wait, as far as the channel takes them now. Returns whether none is left.
     *
     * @throws IOException if the connection broke, or has encrypted as many bytes as its keys may: then another
     *     connection is to be made, with other keys
     */
    public boolean flush() throws IOException {
        while (!waiting.isEmpty()) {
            ByteBuffer first = waiting.peek();
            waitingBytes -= channel.write(first);
            if (first.hasRemaining()) {
                return false;
            }
            waiting.remove();
        }
        return records == null || flushRecords();
    }

    private boolean flushRecords() throws IOException {
        if (!records.flush()) {
            return false;
        }
        if (records.isUsedUp()) {
            throw new IOException("this connection has encrypted as much as one pair of keys may");
        }
        return true;
    }

    public boolean isFlushed() {
        return waiting.isEmpty() && (records == null || records.isFlushed());
    }
}
