package mpi;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Memory in which a rank packs messages of types with gaps before it sends them, if they are neither short nor very
 * long and the call is a blocking send, not buffered and no sendRecv. It is lent memory, which ranks of the host can
 * read. One piece of memory is kept for the next message. Thread-safe.
 */
final class PackedCopies {
    /** Messages with fewer bytes of content than this are not packed into lent memory. */
    private static final int SHORTEST_BYTES = 32 * 1024;
    /** Messages with more bytes of content than this are not packed, so they need no second memory of their size. */
    private static final int LONGEST_BYTES = 4 << 20;

    private final Rank rank;
    private final AtomicReference<ByteBuffer> idle = new AtomicReference<>();

    PackedCopies(Rank rank) {
        this.rank = rank;
    }

    /**
     * Packs a message into lent memory, which then holds it from byte 0 on. Returns null if the message is too short or
     * too long for that, or no memory can be lent.
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

    /**
     * Keeps the memory that {@link #pack} returned for the next message, once no operation uses it. Not called after a
     * failure, when late data may still be read from it.
     */
    void release(ByteBuffer copy) {
        idle.set(copy);
    }
}
