package mpi;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Memory in which a rank packs longer messages of types with gaps before it sends them. The memory is lent: a receiver
 * on the host copies each block from there to its place, so that a message is copied twice, as by a program that packs
 * by itself. One piece of memory is kept for the next message. Thread-safe.
 */
final class PackedCopies {
    /** Shorter messages go through a lane, which takes no longer than offering them. */
    private static final int SHORTEST_BYTES = 32 * 1024;
    /** Longer messages go through a lane in pieces, so that they need no second memory of their size. */
    private static final int LONGEST_BYTES = 4 << 20;

    private final Rank rank;
    private final AtomicReference<ByteBuffer> idle = new AtomicReference<>();

    PackedCopies(Rank rank) {
        this.rank = rank;
    }

    /**
     * Returns lent memory that holds the message from byte 0 on; null if a copy is not worth it or no memory is lent.
     */
    ByteBuffer pack(Object buffer, int count, Datatype type) {
        long bytes = (long) count * type.sizeBytes();
        if (bytes < SHORTEST_BYTES || bytes > LONGEST_BYTES) {
            return null;
        }
        ByteBuffer copy = idle.getAndSet(null);
        if (copy == null || copy.capacity() < bytes) {
            int capacity = Integer.highestOneBit((int) bytes - 1) << 1;
            copy = rank.runtime().lend(capacity);
        }
        if (copy != null) {
            Strided.items(buffer, 0, count, type).copyOut(0, copy.clear().limit((int) bytes));
            copy.clear();
        }
        return copy;
    }

    /** Takes back what {@link #pack} returned, once no operation uses it; not after a failure. */
    void release(ByteBuffer copy) {
        idle.set(copy);
    }
}
