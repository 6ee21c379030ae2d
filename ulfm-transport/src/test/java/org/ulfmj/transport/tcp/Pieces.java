package org.ulfmj.transport.tcp;

import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Random;

/** Gives out bytes in pieces whose size a seed decides. */
final class Pieces implements ReadableByteChannel {
    private final ByteArrayInputStream bytes;
    private final Random random;

    Pieces(byte[] bytes, long seed) {
        this.bytes = new ByteArrayInputStream(bytes);
        this.random = new Random(seed);
    }

    @Override
    public int read(ByteBuffer target) {
        byte[] piece = new byte[Math.min(target.remaining(), 1 + random.nextInt(100_000))];
        int count = bytes.read(piece, 0, piece.length);
        if (count > 0) {
            target.put(piece, 0, count);
        }
        return count;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {}
}
