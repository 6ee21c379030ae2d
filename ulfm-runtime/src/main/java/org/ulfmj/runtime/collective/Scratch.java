package org.ulfmj.runtime.collective;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Direct buffers for intermediate results, kept between schedules: making a buffer costs zeroing and the garbage
 * collector's help each time. Shared by all ranks of a process; any thread.
 *
 * <p>Only a schedule that succeeded, or that sent no message, gives its buffers back. After a failure a message may
 * still be on its way into one, so it is left to the collector.
 *
 * <p>Buffers up to 16 MiB come in powers of two. Of the larger ones a single one is kept, the largest of at most 128
 * MiB.
 */
final class Scratch {
    private static final int SMALLEST_SHIFT = 12;
    private static final int LARGEST_SHIFT = 24;
    private static final long KEPT_BYTES = 64L << 20;
    private static final int LARGE_KEPT_BYTES = 128 << 20;
    private static final ByteBuffer NONE = direct(0);
    private static final Scratch SHARED = new Scratch();

    private final List<ArrayDeque<ByteBuffer>> freeByShift = new ArrayList<>();
    private long keptBytes;
    /** The one buffer of more than 16 MiB that is kept, or null. */
    private ByteBuffer large;

    private Scratch() {
        for (int shift = SMALLEST_SHIFT; shift <= LARGEST_SHIFT; shift++) {
            freeByShift.add(new ArrayDeque<>());
        }
    }

    /** Returns a buffer of at least {@code bytes} bytes of unspecified content, in native order, from position 0. */
    static ByteBuffer take(long bytes) {
        if (bytes == 0) {
            return NONE;
        }
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    bytes + " bytes of intermediate results; at most " + Integer.MAX_VALUE + " are possible");
        }
        int shift = shiftFor((int) bytes);
        if (shift > LARGEST_SHIFT) {
            ByteBuffer kept = SHARED.pollLarge((int) bytes);
            return kept != null ? kept : direct((int) bytes);
        }
        ByteBuffer kept = SHARED.poll(shift);
        return kept != null ? kept : direct(1 << shift);
    }

    static void giveBack(ByteBuffer buffer) {
        int capacity = buffer.capacity();
        if (capacity > 1 << LARGEST_SHIFT) {
            SHARED.pushLarge(buffer);
        } else if (capacity > 0) {
            SHARED.push(buffer);
        }
    }

    private synchronized ByteBuffer pollLarge(int bytes) {
        ByteBuffer kept = large;
        if (kept == null || kept.capacity() < bytes) {
            return null;
        }
        large = null;
        return kept;
    }

    private synchronized void pushLarge(ByteBuffer buffer) {
        boolean isLarger = large == null || large.capacity() < buffer.capacity();
        if (isLarger && buffer.capacity() <= LARGE_KEPT_BYTES) {
            large = buffer;
        }
    }

    private synchronized ByteBuffer poll(int shift) {
        ByteBuffer kept = freeByShift.get(shift - SMALLEST_SHIFT).pollLast();
        if (kept != null) {
            keptBytes -= kept.capacity();
        }
        return kept;
    }

    private synchronized void push(ByteBuffer buffer) {
        if (keptBytes + buffer.capacity() <= KEPT_BYTES) {
            keptBytes += buffer.capacity();
            freeByShift.get(shiftFor(buffer.capacity()) - SMALLEST_SHIFT).addLast(buffer);
        }
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    private static int shiftFor(int bytes) {
        return Math.max(SMALLEST_SHIFT, Integer.SIZE - Integer.numberOfLeadingZeros(bytes - 1));
    }
}
