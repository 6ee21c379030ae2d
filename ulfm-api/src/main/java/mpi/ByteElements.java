package mpi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Elements of {@code byte[]}. They are combined as unsigned numbers, as Open MPI's bindings do: the maximum of −1 and 1
 * is −1.
 */
final class ByteElements extends Elements {
    /** Up to this length a loop over words is faster than a bulk copy. */
    private static final int SHORT_BYTES = 64;

    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    ByteElements() {
        super("BYTE", Byte.BYTES, byte[].class, Operator.ALL);
    }

    @Override
    int capacity(Object buffer) {
        return buffer instanceof byte[] array ? array.length : WRONG_TYPE;
    }

    @Override
    void write(Object from, int at, ByteBuffer target, int count) {
        if (count > SHORT_BYTES) {
            target.put((byte[]) from, at, count);
            return;
        }
        byte[] array = (byte[]) from;
        int into = target.position();
        int done = 0;
        for (; done + Long.BYTES <= count; done += Long.BYTES) {
            target.putLong(into + done, (long) WORDS.get(array, at + done));
        }
        for (; done < count; done++) {
            target.put(into + done, array[at + done]);
        }
        target.position(into + count);
    }

    @Override
    void read(Object into, int at, ByteBuffer source, int count) {
        if (count > SHORT_BYTES) {
            source.get((byte[]) into, at, count);
            return;
        }
        byte[] array = (byte[]) into;
        int from = source.position();
        int done = 0;
        for (; done + Long.BYTES <= count; done += Long.BYTES) {
            WORDS.set(array, at + done, source.getLong(from + done));
        }
        for (; done < count; done++) {
            array[at + done] = source.get(from + done);
        }
        source.position(from + count);
    }

    @Override
    void combine(Operator operator, Object in, Object inout, int count) {
        byte[] s = (byte[]) in;
        byte[] t = (byte[]) inout;
        switch (operator) {
            case MAX -> max(s, t, count);
            case MIN -> min(s, t, count);
            case SUM -> sum(s, t, count);
            case PROD -> product(s, t, count);
            case LAND -> logicalAnd(s, t, count);
            case BAND -> bitwiseAnd(s, t, count);
            case LOR -> logicalOr(s, t, count);
            case BOR -> bitwiseOr(s, t, count);
            case LXOR -> logicalXor(s, t, count);
            case BXOR -> bitwiseXor(s, t, count);
            default -> throw illegal(operator);
        }
    }

    private static void max(byte[] s, byte[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = Byte.compareUnsigned(s[i], t[i]) > 0 ? s[i] : t[i];
        }
    }

    private static void min(byte[] s, byte[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = Byte.compareUnsigned(s[i], t[i]) < 0 ? s[i] : t[i];
        }
    }

    private static void sum(byte[] s, byte[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (byte) (s[i] + t[i]);
        }
    }

    private static void product(byte[] s, byte[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (byte) (s[i] * t[i]);
        }
    }

    private static void logicalAnd(byte[] s, byte[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (byte) (s[i] != 0 && t[i] != 0 ? 1 : 0);
        }
    }

    private static void bitwiseAnd(byte[] s, byte[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (byte) (s[i] & t[i]);
        }
    }

    private static void logicalOr(byte[] s, byte[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (byte) ((s[i] | t[i]) != 0 ? 1 : 0);
        }
    }

    private static void bitwiseOr(byte[] s, byte[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (byte) (s[i] | t[i]);
        }
    }

    private static void logicalXor(byte[] s, byte[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (byte) ((s[i] != 0) != (t[i] != 0) ? 1 : 0);
        }
    }

    private static void bitwiseXor(byte[] s, byte[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (byte) (s[i] ^ t[i]);
        }
    }
}
