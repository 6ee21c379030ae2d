package mpi;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;

/** Elements of {@code int[]} and {@link IntBuffer}, combined as signed numbers. */
final class IntElements extends Elements {
    IntElements() {
        super("INT", Integer.BYTES, int[].class, Operator.ALL);
    }

    @Override
    int capacity(Object buffer) {
        if (buffer instanceof int[] array) {
            return array.length;
        }
        return buffer instanceof IntBuffer typed ? typed.capacity() : WRONG_TYPE;
    }

    @Override
    void write(Object from, int at, ByteBuffer target, int count) {
        if (count <= ELEMENT_WISE) {
            gather(from, at, 1, target, count);
            return;
        }
        if (from instanceof int[] array) {
            target.asIntBuffer().put(array, at, count);
        } else {
            target.asIntBuffer().put(0, whole((IntBuffer) from), at, count);
        }
        target.position(target.position() + count * sizeBytes);
    }

    @Override
    void read(Object into, int at, ByteBuffer source, int count) {
        if (count <= ELEMENT_WISE) {
            scatter(into, at, 1, source, count);
            return;
        }
        if (into instanceof int[] array) {
            source.asIntBuffer().get(array, at, count);
        } else {
            whole((IntBuffer) into).put(at, source.asIntBuffer(), 0, count);
        }
        source.position(source.position() + count * sizeBytes);
    }

    @Override
    void gather(Object from, int at, int step, ByteBuffer target, int count) {
        int into = target.position();
        if (from instanceof int[] array) {
            for (int i = 0; i < count; i++) {
                target.putInt(into + i * sizeBytes, array[at + i * step]);
            }
        } else {
            IntBuffer buffer = whole((IntBuffer) from);
            for (int i = 0; i < count; i++) {
                target.putInt(into + i * sizeBytes, buffer.get(at + i * step));
            }
        }
        target.position(into + count * sizeBytes);
    }

    @Override
    void scatter(Object into, int at, int step, ByteBuffer source, int count) {
        int from = source.position();
        if (into instanceof int[] array) {
            for (int i = 0; i < count; i++) {
                array[at + i * step] = source.getInt(from + i * sizeBytes);
            }
        } else {
            IntBuffer buffer = whole((IntBuffer) into);
            for (int i = 0; i < count; i++) {
                buffer.put(at + i * step, source.getInt(from + i * sizeBytes));
            }
        }
        source.position(from + count * sizeBytes);
    }

    @Override
    void combine(Operator operator, Object in, Object inout, int count) {
        int[] s = (int[]) in;
        int[] t = (int[]) inout;
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

    private static void max(int[] s, int[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = Math.max(s[i], t[i]);
        }
    }

    private static void min(int[] s, int[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = Math.min(s[i], t[i]);
        }
    }

    private static void sum(int[] s, int[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = s[i] + t[i];
        }
    }

    private static void product(int[] s, int[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = s[i] * t[i];
        }
    }

    private static void logicalAnd(int[] s, int[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = s[i] != 0 && t[i] != 0 ? 1 : 0;
        }
    }

    private static void bitwiseAnd(int[] s, int[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = s[i] & t[i];
        }
    }

    private static void logicalOr(int[] s, int[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (s[i] | t[i]) != 0 ? 1 : 0;
        }
    }

    private static void bitwiseOr(int[] s, int[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = s[i] | t[i];
        }
    }

    private static void logicalXor(int[] s, int[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (s[i] != 0) != (t[i] != 0) ? 1 : 0;
        }
    }

    private static void bitwiseXor(int[] s, int[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = s[i] ^ t[i];
        }
    }
}
