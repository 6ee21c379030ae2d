package org.ulfmj.transport;

import java.nio.ByteBuffer;

/**
 * Copies bytes from one buffer into another. The bytes keep their sequence, also if the two buffers differ in byte
 * order.
 */
public final class ByteCopy {
    /** Up to this length a loop over words is faster than {@link ByteBuffer#put(int, ByteBuffer, int, int)}. */
    private static final int SHORT_BYTES = 64;

    private ByteCopy() {}

    /**
     * Copies {@code count} bytes from index {@code at} of one buffer to index {@code into} of the other. Positions and
     * limits do not change. Bytes at or beyond a limit are out of bounds.
     */
    public static void copy(ByteBuffer from, int at, ByteBuffer to, int into, int count) {
        if (count > SHORT_BYTES) {
            to.put(into, from, at, count);
            return;
        }
        boolean swaps = from.order() != to.order();
        int done = 0;
        for (; done + Long.BYTES <= count; done += Long.BYTES) {
            long word = from.getLong(at + done);
            to.putLong(into + done, swaps ? Long.reverseBytes(word) : word);
        }
        for (; done < count; done++) {
            to.put(into + done, from.get(at + done));
        }
    }
}
