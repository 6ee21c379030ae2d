package org.ulfmj.rabit.engine;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;

/**
 * Buffers for results, in powers of two, used again when a result is dropped: so a program that repeats itself allocates
 * nothing after its first versions. For one thread.
 */
public final class ResultMemory {
    private static final int SMALLEST_BYTES = 64;
    /** Up to 1 GiB: the next power of two is no int. */
    private static final int SIZES = 25;
    /** Larger results are rare and left to the collector. */
    private static final int LARGEST_BYTES = SMALLEST_BYTES << SIZES - 1;

    private final long mostIdleBytes;
    private final ArrayDeque<ByteBuffer>[] idle = stacks();
    private long idleBytes;

    /** @param mostIdleBytes what may lie unused */
    public ResultMemory(long mostIdleBytes) {
        this.mostIdleBytes = mostIdleBytes;
    }

    /** From position 0 to the limit of so many bytes, in native order; holds anything. */
    public ByteBuffer take(int bytes) {
        if (bytes > LARGEST_BYTES) {
            return ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
        }
        int size = sizeOf(bytes);
        ByteBuffer buffer = idle[size].pollLast();
        if (buffer == null) {
            buffer = ByteBuffer.allocate(SMALLEST_BYTES << size).order(ByteOrder.nativeOrder());
        } else {
            idleBytes -= buffer.capacity();
        }
        return buffer.clear().limit(bytes);
    }

    /** Nobody reads or writes it any more. */
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
