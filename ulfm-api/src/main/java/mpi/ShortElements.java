package mpi;

import java.nio.ByteBuffer;
import java.nio.ShortBuffer;

/** Elements of {@code short[]} and {@link ShortBuffer}, combined as signed numbers. */
final class ShortElements extends Elements {
    ShortElements() {
        super("SHORT", Short.BYTES, short[].class, Operator.ALL);
    }

    @Override
    int capacity(Object buffer) {
        if (buffer instanceof short[] array) {
            return array.length;
        }
        return buffer instanceof ShortBuffer typed ? typed.capacity() : WRONG_TYPE;
    }

    @Override
    void write(Object from, int at, ByteBuffer target, int count) {
        if (from instanceof short[] array) {
            if (count <= ELEMENT_WISE) {
                for (int i = 0; i < count; i++) {
                    target.putShort(array[at + i]);
                }
                return;
            }
            target.asShortBuffer().put(array, at, count);
        } else {
            target.asShortBuffer().put(0, whole((ShortBuffer) from), at, count);
        }
        target.position(target.position() + count * sizeBytes);
    }

    @Override
    void read(Object into, int at, ByteBuffer source, int count) {
        if (into instanceof short[] array) {
            if (count <= ELEMENT_WISE) {
                for (int i = 0; i < count; i++) {
                    array[at + i] = source.getShort();
                }
                return;
            }
            source.asShortBuffer().get(array, at, count);
        } else {
            whole((ShortBuffer) into).put(at, source.asShortBuffer(), 0, count);
        }
        source.position(source.position() + count * sizeBytes);
    }

    @Override
    void combine(Operator operator, Object in, Object inout, int count) {
        short[] s = (short[]) in;
        short[] t = (short[]) inout;
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

    private static void max(short[] s, short[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (short) Math.max(s[i], t[i]);
        }
    }

    private static void min(short[] s, short[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (short) Math.min(s[i], t[i]);
        }
    }

    private static void sum(short[] s, short[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (short) (s[i] + t[i]);
        }
    }

    private static void product(short[] s, short[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (short) (s[i] * t[i]);
        }
    }

    private static void logicalAnd(short[] s, short[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (short) (s[i] != 0 && t[i] != 0 ? 1 : 0);
        }
    }

    private static void bitwiseAnd(short[] s, short[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (short) (s[i] & t[i]);
        }
    }

    private static void logicalOr(short[] s, short[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (short) ((s[i] | t[i]) != 0 ? 1 : 0);
        }
    }

    private static void bitwiseOr(short[] s, short[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (short) (s[i] | t[i]);
        }
    }

    private static void logicalXor(short[] s, short[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (short) ((s[i] != 0) != (t[i] != 0) ? 1 : 0);
        }
    }

    private static void bitwiseXor(short[] s, short[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (short) (s[i] ^ t[i]);
        }
    }
}
