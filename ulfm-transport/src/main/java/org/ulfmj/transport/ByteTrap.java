package org.ulfmj.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/**
 * Ends a process in the middle of a message that it sends. The trap counts the bytes that leave the process, and runs
 * its action once a given number of bytes has left. Tests use it to find out what other ranks make of a message that
 * arrives only in part. Under the rank's engine lock.
 */
public final class ByteTrap {
    private final long lastByte;
    private final Runnable spring;
    private long sentBytes;

    /**
     * @param lastByte number of the last byte that leaves the process, counted from 1
     * @param spring the action that ends the process. In a real process it does not return; in a simulated one it may.
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

    /** Counts bytes that have left, and runs the action if the last byte has left with them or earlier. */
    void sent(int bytes) {
        sentBytes += bytes;
        if (sentBytes >= lastByte) {
            spring.run();
        }
    }

    /** Writes as many bytes as the channel takes, but no more than may still leave. */
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
