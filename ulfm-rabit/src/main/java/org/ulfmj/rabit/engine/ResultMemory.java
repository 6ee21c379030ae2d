package org.ulfmj.rabit.engine;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;

/**
 * Buffers for results, in powers of two, used again when a result is dropped: so a program that repeats itself
 * allocates few after its first versions. For one thread.
 *
 * <p>The log is written from one end to the other, and most of it is in no cache when its buffers are used again. So
 * short buffers are cut from longer ones, side by side, and a caller that gives many back begins with the last. The
 * buffer that is taken next then lies behind the one taken before, and the processor fetches it ahead.
 */
public final class ResultMemory {
    private static final int SMALLEST_BYTES = 64;
    /** The number of sizes, up to 1 GiB: the next power of two is no int. */
    private static final int SIZES = 25;
    /** The largest buffer that is used again. Larger results are rare, and are left to the garbage collector. */
    private static final int LARGEST_BYTES = SMALLEST_BYTES << SIZES - 1;

    private static final int SLAB_BUFFERS = 64;
    private static final int LARGEST_SLAB_BYTES = 256 * 1024;

    private final long mostIdleBytes;
    /** By size: the memory that buffers are cut from. It is unused from its position on. */
    private final ByteBuffer[] slabs = new ByteBuffer[SIZES];

    private final ArrayDeque<ByteBuffer>[] idle = stacks();
    private long idleBytes;

    /** @param mostIdleBytes the most bytes of buffers that were given back and wait to be taken again */
    public ResultMemory(long mostIdleBytes) {
        this.mostIdleBytes = mostIdleBytes;
    }

    /** A buffer in native order, from position 0 to a limit of this many bytes. Its content is arbitrary. */
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

    /** Takes back a buffer that no rank reads or writes any more. */
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
