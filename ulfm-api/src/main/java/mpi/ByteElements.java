package mpi;

import java.nio.ByteBuffer;
import org.ulfmj.transport.ByteCopy;

/**
 * Elements of {@code byte[]}. They are combined as unsigned numbers, as Open MPI's bindings do: the maximum of −1 and 1
 * is −1.
 */
final class ByteElements extends Elements {
    ByteElements() {
        super("BYTE", Byte.BYTES, byte[].class, Operator.ALL);
    }

    @Override
    int capacity(Object buffer) {
        return buffer instanceof byte[] array ? array.length : WRONG_TYPE;
    }

    @Override
    void write(Object from, int at, ByteBuffer target, int count) {
        int into = target.position();
        ByteCopy.copy((byte[]) from, at, target, into, count);
        target.position(into + count);
    }

    @Override
    void read(Object into, int at, ByteBuffer source, int count) {
        int from = source.position();
        ByteCopy.copy(source, from, (byte[]) into, at, count);
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
