package mpi;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;

/**
 * Elements of {@code float[]} and {@link FloatBuffer}, combined as numbers. The maximum and the minimum of a NaN and
 * any number are NaN.
 */
final class FloatElements extends Elements {
    FloatElements() {
        super("FLOAT", Float.BYTES, float[].class, Operator.ARITHMETIC);
    }

    @Override
    int capacity(Object buffer) {
        if (buffer instanceof float[] array) {
            return array.length;
        }
        return buffer instanceof FloatBuffer typed ? typed.capacity() : WRONG_TYPE;
    }

    @Override
    void write(Object from, int at, ByteBuffer target, int count) {
        if (count <= ELEMENT_WISE) {
            gather(from, at, 1, target, count);
            return;
        }
        if (from instanceof float[] array) {
            target.asFloatBuffer().put(array, at, count);
        } else {
            target.asFloatBuffer().put(0, whole((FloatBuffer) from), at, count);
        }
        target.position(target.position() + count * sizeBytes);
    }

    @Override
    void read(Object into, int at, ByteBuffer source, int count) {
        if (count <= ELEMENT_WISE) {
            scatter(into, at, 1, source, count);
            return;
        }
        if (into instanceof float[] array) {
            source.asFloatBuffer().get(array, at, count);
        } else {
            whole((FloatBuffer) into).put(at, source.asFloatBuffer(), 0, count);
        }
        source.position(source.position() + count * sizeBytes);
    }

    @Override
    void gather(Object from, int at, int step, ByteBuffer target, int count) {
        int into = target.position();
        if (from instanceof float[] array) {
            for (int i = 0; i < count; i++) {
                target.putFloat(into + i * sizeBytes, array[at + i * step]);
            }
        } else {
            FloatBuffer buffer = whole((FloatBuffer) from);
            for (int i = 0; i < count; i++) {
                target.putFloat(into + i * sizeBytes, buffer.get(at + i * step));
            }
        }
        target.position(into + count * sizeBytes);
    }

    @Override
    void scatter(Object into, int at, int step, ByteBuffer source, int count) {
        int from = source.position();
        if (into instanceof float[] array) {
            for (int i = 0; i < count; i++) {
                array[at + i * step] = source.getFloat(from + i * sizeBytes);
            }
        } else {
            FloatBuffer buffer = whole((FloatBuffer) into);
            for (int i = 0; i < count; i++) {
                buffer.put(at + i * step, source.getFloat(from + i * sizeBytes));
            }
        }
        source.position(from + count * sizeBytes);
    }

    @Override
    void combine(Operator operator, Object in, Object inout, int count) {
        float[] s = (float[]) in;
        float[] t = (float[]) inout;
        switch (operator) {
            case MAX -> max(s, t, count);
            case MIN -> min(s, t, count);
            case SUM -> sum(s, t, count);
            case PROD -> product(s, t, count);
            default -> throw illegal(operator);
        }
    }

    private static void max(float[] s, float[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = Math.max(s[i], t[i]);
        }
    }

    private static void min(float[] s, float[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = Math.min(s[i], t[i]);
        }
    }

    private static void sum(float[] s, float[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = s[i] + t[i];
        }
    }

    private static void product(float[] s, float[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = s[i] * t[i];
        }
    }
}
