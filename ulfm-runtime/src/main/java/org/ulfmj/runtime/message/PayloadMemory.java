package org.ulfmj.runtime.message;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;

/**
 * Buffers for messages that arrived before their receive; their capacities are powers of two. They are kept for reuse
 * up to a bound per capacity, so that a burst does not stay in memory for ever.
 */
public final class PayloadMemory {
    private static final int SMALLEST_BYTES = 64;
    private static final int KEPT_BYTES_A_SIZE = 1 << 20;

    private final ArrayDeque<ByteBuffer>[] idle = newStacks();

    /** Returns a buffer whose limit is {@code bytes}; its capacity may be larger. */
    public ByteBuffer take(int bytes) {
        int size = sizeClass(bytes);
        ByteBuffer buffer = idle[size].pollLast();
        if (buffer == null) {
            buffer = ByteBuffer.allocate(SMALLEST_BYTES << size).order(ByteOrder.LITTLE_ENDIAN);
        }
        return buffer.clear().limit(bytes);
    }

    /** Returns the capacity of the buffer that a message of this many bytes takes. */
    public static int capacityBytes(int bytes) {
        return SMALLEST_BYTES << sizeClass(bytes);
    }

    public void giveBack(ByteBuffer buffer) {
        ArrayDeque<ByteBuffer> stack = idle[sizeClass(buffer.capacity())];
        if (stack.size() <= KEPT_BYTES_A_SIZE / buffer.capacity()) {
            stack.addLast(buffer);
        }
    }

    private static int sizeClass(int bytes) {
        int blocks = (Math.max(bytes, 1) + SMALLEST_BYTES - 1) / SMALLEST_BYTES;
        return Integer.SIZE - Integer.numberOfLeadingZeros(blocks - 1);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static ArrayDeque<ByteBuffer>[] newStacks() {
        ArrayDeque<ByteBuffer>[] stacks = new ArrayDeque[Integer.SIZE];
        for (int i = 0; i < stacks.length; i++) {
            stacks[i] = new ArrayDeque<>();
        }
        return stacks;
    }
}
