package org.ulfmj.rabit.engine;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;

/**
 * Buffers for results, in powers of two, used again when a result is dropped: so a program that repeats itself
 * allocates nothing after its first versions. For one thread.
 *
 * <p>The log is written from one end to the other, and is mostly in no cache by then. Short buffers are therefore cut
 * from longer ones, side by side, and any rank that gives many back begins with the last: what is taken next lies
 * behind what was taken before, and the processor fetches it ahead.
 */
public final class ResultMemory {
    private static final int SMALLEST_BYTES = 64;
    /** Up to 1 GiB: the next power of two is no int. */
    private static final int SIZES = 25;
    /** Larger results are rare and left to the collector. */
    private static final int LARGEST_BYTES = SMALLEST_BYTES << SIZES - 1;

    private static final int SLAB_BUFFERS = 64;
    private static final int LARGEST_SLAB_BYTES = 256 * 1024;

    private final long mostIdleBytes;
    /** By size: what buffers are cut from; from its position on it is unused. */
    private final ByteBuffer[] slabs = new ByteBuffer[SIZES];

    private final ArrayDeque<ByteBuffer>[] idle = stacks();
    private long idleBytes;

    /** @param mostIdleBytes what may lie unused */
    public ResultMemory(long mostIdleBytes) {
        this.mostIdleBytes = mostIdleBytes;
    }

    /** From position 0 to the limit of this many bytes, in native order; holds anything. */
    public ByteBuffer take(int bytes) {
        if (bytes > LARGEST_BYTES) {
            return ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
        }
        int size = sizeOf(bytes);
        ByteBuffer buffer = idle[size].pollLast();
        if (buffer == null) {
            buffer = cut(size);
        } else {
            idleBytes -= buffer.capacity();
        }
        return buffer.clear().limit(bytes);
    }

    private ByteBuffer cut(int size) {
        int bytes = SMALLEST_BYTES << size;
        ByteBuffer slab = slabs[size];
        if (slab == null || slab.remaining() < bytes) {
            int slabBytes = (int) Math.min((long) bytes * SLAB_BUFFERS, Math.max(bytes, LARGEST_SLAB_BYTES));
            slab = ByteBuffer.allocate(slabBytes);
            slabs[size] = slab;
        }
        int at = slab.position();
        slab.position(at + bytes);
        if (!slab.hasRemaining()) {
            slabs[size] = null;
        }
        return slab.slice(at, bytes).order(ByteOrder.nativeOrder());
    }

    /** No rank reads or writes it any more. */
    public void giveBack(ByteBuffer buffer) {
        int capacity = buffer.capacity();
        boolean isOurs = capacity >= SMALLEST_BYTES && capacity <= LARGEST_BYTES && Integer.bitCount(capacity) == 1;
        if (isOurs && idleBytes + capacity <= mostIdleBytes) {
            idleBytes += capacity;
            idle[sizeOf(capacity)].addLast(buffer);
        }
    }

    private static int sizeOf(int bytes) {
        int blocks = (int) ((Math.max(bytes, 1) + (long) SMALLEST_BYTES - 1) / SMALLEST_BYTES);
        return Integer.SIZE - Integer.numberOfLeadingZeros(blocks - 1);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static ArrayDeque<ByteBuffer>[] stacks() {
        ArrayDeque<ByteBuffer>[] stacks = new ArrayDeque[SIZES];
        for (int i = 0; i < SIZES; i++) {
            stacks[i] = new ArrayDeque<>();
        }
        return stacks;
    }
}
