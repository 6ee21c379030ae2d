package org.ulfmj.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/**
 * Ends a process in the middle of what it sends: counts the bytes that leave, lets the given one be the last, and
 * springs. For trying what others make of a message that is half there. Under the rank's engine lock.
 */
public final class ByteTrap {
    private final long lastByte;
    private final Runnable spring;
    private long sentBytes;

    /**
     * @param lastByte the last one that leaves, from 1
     * @param spring does not return where processes end for real
     */
    public ByteTrap(long lastByte, Runnable spring) {
        if (lastByte < 1) {
            throw new IllegalArgumentException("lastByte (" + lastByte + ") must be at least 1");
        }
        this.lastByte = lastByte;
        this.spring = spring;
    }

    /** Bytes that may still leave. */
    long leftBytes() {
        return lastByte - sentBytes;
    }

    /** This many bytes have left. */
    void sent(int bytes) {
        sentBytes += bytes;
        if (sentBytes >= lastByte) {
            spring.run();
        }
    }

    /** Writes what the channel takes, and not more than may leave. */
    public void write(WritableByteChannel channel, ByteBuffer bytes) throws IOException {
        int limit = bytes.limit();
        int before = bytes.position();
        bytes.limit(before + (int) Math.min(bytes.remaining(), Math.max(0, leftBytes())));
        try {
            channel.write(bytes);
        } finally {
            bytes.limit(limit);
        }
        sent(bytes.position() - before);
    }
}
