package mpi;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;

/** Elements of {@code long[]} and {@link LongBuffer}, combined as signed numbers. */
final class LongElements extends Elements {
    LongElements() {
        super("LONG", Long.BYTES, long[].class, Operator.ALL);
    }

    @Override
    int capacity(Object buffer) {
        if (buffer instanceof long[] array) {
            return array.length;
        }
        return buffer instanceof LongBuffer typed ? typed.capacity() : WRONG_TYPE;
    }

    @Override
    void write(Object from, int at, ByteBuffer target, int count) {
        if (count <= ELEMENT_WISE) {
            gather(from, at, 1, target, count);
            return;
        }
        if (from instanceof long[] array) {
            target.asLongBuffer().put(array, at, count);
        } else {
            target.asLongBuffer().put(0, whole((LongBuffer) from), at, count);
        }
        target.position(target.position() + count * sizeBytes);
    }

    @Override
    void read(Object into, int at, ByteBuffer source, int count) {
        if (count <= ELEMENT_WISE) {
            scatter(into, at, 1, source, count);
            return;
        }
        if (into instanceof long[] array) {
            source.asLongBuffer().get(array, at, count);
        } else {
            whole((LongBuffer) into).put(at, source.asLongBuffer(), 0, count);
        }
        source.position(source.position() + count * sizeBytes);
    }

    @Override
    void gather(Object from, int at, int step, ByteBuffer target, int count) {
        int into = target.position();
        if (from instanceof long[] array) {
            for (int i = 0; i < count; i++) {
                target.putLong(into + i * sizeBytes, array[at + i * step]);
            }
        } else {
            LongBuffer buffer = whole((LongBuffer) from);
            for (int i = 0; i < count; i++) {
                target.putLong(into + i * sizeBytes, buffer.get(at + i * step));
            }
        }
        target.position(into + count * sizeBytes);
    }

    @Override
    void scatter(Object into, int at, int step, ByteBuffer source, int count) {
        int from = source.position();
        if (into instanceof long[] array) {
            for (int i = 0; i < count; i++) {
                array[at + i * step] = source.getLong(from + i * sizeBytes);
            }
        } else {
            LongBuffer buffer = whole((LongBuffer) into);
            for (int i = 0; i < count; i++) {
                buffer.put(at + i * step, source.getLong(from + i * sizeBytes));
            }
        }
        source.position(from + count * sizeBytes);
    }

    @Override
    void combine(Operator operator, Object in, Object inout, int count) {
        long[] s = (long[]) in;
        long[] t = (long[]) inout;
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

    private static void max(long[] s, long[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = Math.max(s[i], t[i]);
        }
    }

    private static void min(long[] s, long[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = Math.min(s[i], t[i]);
        }
    }

    private static void sum(long[] s, long[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = s[i] + t[i];
        }
    }

    private static void product(long[] s, long[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = s[i] * t[i];
        }
    }

    private static void logicalAnd(long[] s, long[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = s[i] != 0 && t[i] != 0 ? 1 : 0;
        }
    }

    private static void bitwiseAnd(long[] s, long[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = s[i] & t[i];
        }
    }

    private static void logicalOr(long[] s, long[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (s[i] | t[i]) != 0 ? 1 : 0;
        }
    }

    private static void bitwiseOr(long[] s, long[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = s[i] | t[i];
        }
    }

    private static void logicalXor(long[] s, long[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (s[i] != 0) != (t[i] != 0) ? 1 : 0;
        }
    }

    private static void bitwiseXor(long[] s, long[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = s[i] ^ t[i];
        }
    }
}
