package examples.soak;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The content of messages: a function of a key, so that any rank that knows the key can check every byte. */
final class Pattern {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    /** What a buffer holds where no message may write. */
    private static final byte UNTOUCHED = (byte) 0xA5;

    private Pattern() {}

    /** The number at an index of what the key stands for. */
    static long word(long key, int index) {
        return Mix.of(key + index);
    }

    /** An array of these bytes. */
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

    /** A buffer for a message, in which bytes that it does not reach can be told. */
    static byte[] empty(int length) {
        byte[] data = new byte[length];
        Arrays.fill(data, UNTOUCHED);
        return data;
    }

    /** The first byte in a part of the array that is not as the key says; −1 if all are. */
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

    /** The first byte from here on that a message has reached; −1 if there is none. */
    static int touched(byte[] data, int from) {
        for (int at = from; at < data.length; at++) {
            if (data[at] != UNTOUCHED) {
                return at;
            }
        }
        return -1;
    }
}
