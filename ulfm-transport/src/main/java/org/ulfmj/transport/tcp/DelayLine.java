package org.ulfmj.transport.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.function.LongSupplier;

/**
 * A fault for tests: holds back the bytes that arrive on a connection, in order, for a time, or hands only so many of
 * them to their reader in a second.
 */
final class DelayLine implements ReadableByteChannel {
    private static final int CHUNK_BYTES = 64 * 1024;
    private static final double SECOND_NS = 1e9;

    private final SocketChannel channel;
    private final LinkFaults faults;
    private final int sender;
    private final LongSupplier clock;
    private final ArrayDeque<Chunk> chunks = new ArrayDeque<>();
    private boolean isAtEnd;
    private boolean isEndTold;
    private long lastDueNs;
    /** The time before which a limited rate hands no byte that has arrived to its reader. */
    private long freeNs;

    private record Chunk(ByteBuffer bytes, long dueNs) {}

    DelayLine(SocketChannel channel, LinkFaults faults, int sender, LongSupplier clock) {
        this.channel = channel;
        this.faults = faults;
        this.sender = sender;
        this.clock = clock;
        this.lastDueNs = clock.getAsLong();
        this.freeNs = lastDueNs;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        long nowNs = clock.getAsLong();
        takeWhatHasArrived(nowNs);
        int count = 0;
        long rate = faults.bytesPerSecond(sender);
        while (target.hasRemaining() && nowNs - heldUntilNs() >= 0 && !chunks.isEmpty()) {
            ByteBuffer bytes = chunks.peek().bytes();
            int length = Math.min(bytes.remaining(), target.remaining());
            if (rate > 0) {
                // At a limited rate, at most the bytes of a hundredth of a second pass at once.
                length = (int) Math.max(1, Math.min(length, rate / 100));
                freeNs = Math.max(freeNs, nowNs) + (long) (length * SECOND_NS / rate);
            }
            target.put(bytes.slice().limit(length));
            bytes.position(bytes.position() + length);
            count += length;
            if (!bytes.hasRemaining()) {
                chunks.remove();
            }
        }
        isEndTold = count == 0 && isAtEnd && chunks.isEmpty();
        return isEndTold ? -1 : count;
    }

    private void takeWhatHasArrived(long nowNs) throws IOException {
        while (!isAtEnd) {
            ByteBuffer bytes = ByteBuffer.allocate(CHUNK_BYTES);
            int count = channel.read(bytes);
            if (count <= 0) {
                isAtEnd = count < 0;
                return;
            }
            lastDueNs = Math.max(lastDueNs, nowNs + faults.delayNs(sender));
            chunks.add(new Chunk(bytes.flip(), lastDueNs));
        }
    }

    /**
     * Whether the end of the stream was read from the channel, which brings nothing more. While bytes are still held
     * back, the selector must not watch the channel: it would report it as ready for ever.
     */
    boolean isAtEnd() {
        return isAtEnd;
    }

    /**
     * The time from which the next held byte, or the end of the stream behind the last byte, may be read from this
     * line; {@link Long#MAX_VALUE} if nothing is held.
     */
    long heldUntilNs() {
        if (chunks.isEmpty()) {
            return isAtEnd && !isEndTold ? lastDueNs : Long.MAX_VALUE;
        }
        return Math.max(freeNs, chunks.peek().dueNs());
    }

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
