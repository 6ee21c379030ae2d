package mpi;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;

/**
 * Elements of {@code double[]} and {@link DoubleBuffer}, combined as numbers. The maximum and the minimum of a NaN and
 * any number are NaN.
 */
final class DoubleElements extends Elements {
    DoubleElements() {
        super("DOUBLE", Double.BYTES, double[].class, Operator.ARITHMETIC);
    }

    @Override
    int capacity(Object buffer) {
        if (buffer instanceof double[] array) {
            return array.length;
        }
        return buffer instanceof DoubleBuffer typed ? typed.capacity() : WRONG_TYPE;
    }

    @Override
    void write(Object from, int at, ByteBuffer target, int count) {
        if (count <= ELEMENT_WISE) {
            gather(from, at, 1, target, count);
            return;
        }
        if (from instanceof double[] array) {
            target.asDoubleBuffer().put(array, at, count);
        } else {
            target.asDoubleBuffer().put(0, whole((DoubleBuffer) from), at, count);
        }
        target.position(target.position() + count * sizeBytes);
    }

    @Override
    void read(Object into, int at, ByteBuffer source, int count) {
        if (count <= ELEMENT_WISE) {
            scatter(into, at, 1, source, count);
            return;
        }
        if (into instanceof double[] array) {
            source.asDoubleBuffer().get(array, at, count);
        } else {
            whole((DoubleBuffer) into).put(at, source.asDoubleBuffer(), 0, count);
        }
        source.position(source.position() + count * sizeBytes);
    }

    @Override
    void gather(Object from, int at, int step, ByteBuffer target, int count) {
        int into = target.position();
        if (from instanceof double[] array) {
            for (int i = 0; i < count; i++) {
                target.putDouble(into + i * sizeBytes, array[at + i * step]);
            }
        } else {
            DoubleBuffer buffer = whole((DoubleBuffer) from);
            for (int i = 0; i < count; i++) {
                target.putDouble(into + i * sizeBytes, buffer.get(at + i * step));
            }
        }
        target.position(into + count * sizeBytes);
    }

    @Override
    void scatter(Object into, int at, int step, ByteBuffer source, int count) {
        int from = source.position();
        if (into instanceof double[] array) {
            for (int i = 0; i < count; i++) {
                array[at + i * step] = source.getDouble(from + i * sizeBytes);
            }
        } else {
            DoubleBuffer buffer = whole((DoubleBuffer) into);
            for (int i = 0; i < count; i++) {
                buffer.put(at + i * step, source.getDouble(from + i * sizeBytes));
            }
        }
        source.position(from + count * sizeBytes);
    }

    @Override
    void combine(Operator operator, Object in, Object inout, int count) {
        double[] s = (double[]) in;
        double[] t = (double[]) inout;
        switch (operator) {
            case MAX -> max(s, t, count);
            case MIN -> min(s, t, count);
            case SUM -> sum(s, t, count);
            case PROD -> product(s, t, count);
            default -> throw illegal(operator);
        }
    }

    private static void max(double[] s, double[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = Math.max(s[i], t[i]);
        }
    }

    private static void min(double[] s, double[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = Math.min(s[i], t[i]);
        }
    }

    private static void sum(double[] s, double[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = s[i] + t[i];
        }
    }

    private static void product(double[] s, double[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = s[i] * t[i];
        }
    }
}
