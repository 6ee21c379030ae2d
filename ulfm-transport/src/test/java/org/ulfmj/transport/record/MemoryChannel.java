package org.ulfmj.transport.record;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;

/** A channel in memory: what is written to it is collected, and what a test has put in is read from it. */
final class MemoryChannel implements ByteChannel {
    final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private ByteBuffer toRead = ByteBuffer.allocate(0);
    private boolean isEnded;
    /** How many bytes a single read or write moves at most. */
    int pace = Integer.MAX_VALUE;
    /** How many bytes may still be written. */
    int room = Integer.MAX_VALUE;

    /** Adds bytes to be read behind those that were not read yet. */
    void arrive(byte[] bytes) {
        toRead = ByteBuffer.allocate(toRead.remaining() + bytes.length)
                .put(toRead)
                .put(bytes)
                .flip();
    }

    void end() {
        isEnded = true;
    }

    @Override
    public int read(ByteBuffer target) {
        int count = Math.min(pace, Math.min(target.remaining(), toRead.remaining()));
        target.put(toRead.slice().limit(count));
        toRead.position(toRead.position() + count);
        return count == 0 && isEnded ? -1 : count;
    }

    @Override
    public int write(ByteBuffer source) {
        int count = Math.min(room, Math.min(pace, source.remaining()));
        for (int i = 0; i < count; i++) {
            written.write(source.get());
        }
        room -= count;
        return count;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {}
}
