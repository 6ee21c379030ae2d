package mpi;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;

/** Elements of {@code char[]} and {@link CharBuffer}, combined as 16-bit unsigned numbers. */
final class CharElements extends Elements {
    CharElements() {
        super("CHAR", Character.BYTES, char[].class, Operator.ALL);
    }

    @Override
    int capacity(Object buffer) {
        if (buffer instanceof char[] array) {
            return array.length;
        }
        return buffer instanceof CharBuffer typed ? typed.capacity() : WRONG_TYPE;
    }

    @Override
    void write(Object from, int at, ByteBuffer target, int count) {
        if (from instanceof char[] array) {
            if (count <= ELEMENT_WISE) {
                for (int i = 0; i < count; i++) {
                    target.putChar(array[at + i]);
                }
                return;
            }
            target.asCharBuffer().put(array, at, count);
        } else {
            target.asCharBuffer().put(0, whole((CharBuffer) from), at, count);
        }
        target.position(target.position() + count * sizeBytes);
    }

    @Override
    void read(Object into, int at, ByteBuffer source, int count) {
        if (into instanceof char[] array) {
            if (count <= ELEMENT_WISE) {
                for (int i = 0; i < count; i++) {
                    array[at + i] = source.getChar();
                }
                return;
            }
            source.asCharBuffer().get(array, at, count);
        } else {
            whole((CharBuffer) into).put(at, source.asCharBuffer(), 0, count);
        }
        source.position(source.position() + count * sizeBytes);
    }

    @Override
    void combine(Operator operator, Object in, Object inout, int count) {
        char[] s = (char[]) in;
        char[] t = (char[]) inout;
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

    private static void max(char[] s, char[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (char) Math.max(s[i], t[i]);
        }
    }

    private static void min(char[] s, char[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (char) Math.min(s[i], t[i]);
        }
    }

    private static void sum(char[] s, char[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (char) (s[i] + t[i]);
        }
    }

    private static void product(char[] s, char[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (char) (s[i] * t[i]);
        }
    }

    private static void logicalAnd(char[] s, char[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (char) (s[i] != 0 && t[i] != 0 ? 1 : 0);
        }
    }

    private static void bitwiseAnd(char[] s, char[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (char) (s[i] & t[i]);
        }
    }

    private static void logicalOr(char[] s, char[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (char) ((s[i] | t[i]) != 0 ? 1 : 0);
        }
    }

    private static void bitwiseOr(char[] s, char[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (char) (s[i] | t[i]);
        }
    }

    private static void logicalXor(char[] s, char[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (char) ((s[i] != 0) != (t[i] != 0) ? 1 : 0);
        }
    }

    private static void bitwiseXor(char[] s, char[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = (char) (s[i] ^ t[i]);
        }
    }
}
