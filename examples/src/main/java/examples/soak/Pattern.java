package examples.soak;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The content of messages: a function of a key, so that any rank that knows the key can check every byte. */
final class Pattern {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    /** The byte that fills a buffer before a message arrives. */
    private static final byte UNTOUCHED = (byte) 0xA5;

    private Pattern() {}

    /** The number at this index of the content that follows from a key. */
    static long word(long key, int index) {
        return Mix.of(key + index);
    }

    /** The content of a key, as an array of this length. */
    static byte[] bytes(long key, int length) {
        byte[] data = new byte[length];
        int whole = length & -Long.BYTES;
        for (int at = 0; at < whole; at += Long.BYTES) {
            LONGS.set(data, at, word(key, at));
        }
        for (int at = whole; at < length; at++) {
            data[at] = (byte) word(key, at);
        }
        return data;
    }

    /** A buffer for a message, filled with one fixed byte, by which {@link #touched} finds bytes that were written. */
    static byte[] empty(int length) {
        byte[] data = new byte[length];
        Arrays.fill(data, UNTOUCHED);
        return data;
    }

    /**
     * Compares a part of an array with the content of a key. Returns an index near the first byte that differs (at most
     * seven bytes before it), counted from the beginning of the part; −1 if no byte differs.
     */
    static int mismatch(byte[] data, int from, int length, long key) {
        int whole = length & -Long.BYTES;
        for (int at = 0; at < whole; at += Long.BYTES) {
            if ((long) LONGS.get(data, from + at) != word(key, at)) {
                return at;
            }
        }
        for (int at = whole; at < length; at++) {
            if (data[from + at] != (byte) word(key, at)) {
                return at;
            }
        }
        return -1;
    }

    /** The index of the first byte, from {@code from} on, that differs from those of {@link #empty}; −1 if none. */
    static int touched(byte[] data, int from) {
        for (int at = from; at < data.length; at++) {
            if (data[at] != UNTOUCHED) {
                return at;
            }
        }
        return -1;
    }
}
