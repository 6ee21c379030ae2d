package org.ulfmj.transport;

import java.nio.ByteBuffer;

/** Copies bytes from one buffer into another, regardless of the order of either. */
public final class ByteCopy {
    /** Up to here a loop is faster than the call that copies blocks. */
    private static final int SHORT_BYTES = 64;

    private ByteCopy() {}

    /** Copies {@code count} bytes between two indices; positions and limits stay, but limits hold. */
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
