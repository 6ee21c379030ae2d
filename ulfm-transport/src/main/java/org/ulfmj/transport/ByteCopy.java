package org.ulfmj.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Copies bytes from one buffer into another, or from and to an array. The bytes keep their sequence, also if two
 * buffers differ in byte order. Positions and limits do not change. Bytes at or beyond a limit are out of bounds.
 */
public final class ByteCopy {
    /** Up to this length in bytes a loop over words is faster than the bulk copies of {@link ByteBuffer}. */
    private static final int SHORT_BYTES = 64;

    private static final ByteOrder NATIVE = ByteOrder.nativeOrder();
    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, NATIVE);

    private ByteCopy() {}

    /** Copies {@code count} bytes from index {@code at} of one buffer to index {@code into} of the other. */
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

    /** Copies {@code count} bytes from index {@code at} of an array to index {@code into} of a buffer. */
    public static void copy(byte[] from, int at, ByteBuffer to, int into, int count) {
        if (count > SHORT_BYTES) {
            to.put(into, from, at, count);
            return;
        }
        boolean swaps = to.order() != NATIVE;
        int done = 0;
        for (; done + Long.BYTES <= count; done += Long.BYTES) {
            long word = (long) WORDS.get(from, at + done);
            to.putLong(into + done, swaps ? Long.reverseBytes(word) : word);
        }
        for (; done < count; done++) {
            to.put(into + done, from[at + done]);
        }
    }

    /** Copies {@code count} bytes from index {@code at} of a buffer to index {@code into} of an array. */
    public static void copy(ByteBuffer from, int at, byte[] to, int into, int count) {
        if (count > SHORT_BYTES) {
            from.get(at, to, into, count);
            return;
        }
        boolean swaps = from.order() != NATIVE;
        int done = 0;
        for (; done + Long.BYTES <= count; done += Long.BYTES) {
            long word = from.getLong(at + done);
            WORDS.set(to, into + done, swaps ? Long.reverseBytes(word) : word);
        }
        for (; done < count; done++) {
            to[into + done] = from.get(at + done);
        }
    }
}
