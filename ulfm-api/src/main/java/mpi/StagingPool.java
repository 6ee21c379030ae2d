package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Direct buffers into which calls of one rank, such as collectives and sendRecv, pack. Up to {@link #MAX_KEPT_BYTES},
 * buffers are kept for later calls. Thread-safe. A buffer whose call failed is not given back: late data may still be
 * written into it.
 */
final class StagingPool {
    private static final int SMALLEST_BITS = 8;
    /**
     * Buffers above 2 to this power of bytes have exactly the length that is asked for: they are not kept, so rounding
     * up would gain nothing.
     */
    private static final int LARGEST_BITS = 27;

    /**
     * The most bytes that the pool keeps between calls. The system gets direct memory back only by a garbage
     * collection.
     */
    static final long MAX_KEPT_BYTES = 1L << LARGEST_BITS;

    private final Deque<ByteBuffer>[] free = newQueues();
    private long keptBytes;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Deque<ByteBuffer>[] newQueues() {
        Deque<ByteBuffer>[] queues = new Deque[LARGEST_BITS + 1];
        for (int bits = SMALLEST_BITS; bits <= LARGEST_BITS; bits++) {
            queues[bits] = new ArrayDeque<>(2);
        }
        return queues;
    }

    /** Returns a buffer with position 0, the given limit and native order; its content may be that of earlier calls. */
    ByteBuffer acquire(int bytes) {
        int bits = bitsFor(bytes);
        if (bits > LARGEST_BITS) {
            return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
        }
        ByteBuffer found;
        synchronized (free) {
            found = free[bits].pollLast();
            if (found != null) {
                keptBytes -= found.capacity();
            }
        }
        ByteBuffer buffer = found != null ? found : ByteBuffer.allocateDirect(1 << bits);
        return buffer.clear().limit(bytes).order(ByteOrder.nativeOrder());
    }

    /** Takes back what {@link #acquire} gave out. */
    void release(ByteBuffer buffer) {
        int bits = bitsFor(buffer.capacity());
        if (bits > LARGEST_BITS) {
            return;
        }
        synchronized (free) {
            if (keptBytes + buffer.capacity() <= MAX_KEPT_BYTES) {
                keptBytes += buffer.capacity();
                free[bits].addLast(buffer);
            }
        }
    }

    private static int bitsFor(int bytes) {
        return bytes <= 1 << SMALLEST_BITS ? SMALLEST_BITS : Integer.SIZE - Integer.numberOfLeadingZeros(bytes - 1);
    }
}
