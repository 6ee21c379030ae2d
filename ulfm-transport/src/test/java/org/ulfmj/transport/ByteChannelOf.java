package org.ulfmj.transport;

import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;

/**
 * A channel from which fixed bytes are read, at most 1000 per read, and then none. What is written to it is dropped.
 */
public final class ByteChannelOf implements ByteChannel {
    private static final int MOST_AT_ONCE = 1000;

    private final ByteBuffer bytes;

    public ByteChannelOf(byte[] bytes) {
        this.bytes = ByteBuffer.wrap(bytes);
    }

    @Override
    public int read(ByteBuffer target) {
        int count = Math.min(MOST_AT_ONCE, Math.min(target.remaining(), bytes.remaining()));
        target.put(bytes.slice(bytes.position(), count));
        bytes.position(bytes.position() + count);
        return count;
    }

    @Override
    public int write(ByteBuffer source) {
        int count = source.remaining();
        source.position(source.limit());
        return count;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {}
}
