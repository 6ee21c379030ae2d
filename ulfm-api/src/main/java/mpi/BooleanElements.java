package mpi;

import java.nio.ByteBuffer;

/** Elements of {@code boolean[]}: one byte each, 0 or 1; any other byte that arrives counts as true. */
final class BooleanElements extends Elements {
    BooleanElements() {
        super("BOOLEAN", Byte.BYTES, boolean[].class, Operator.TRUTH);
    }

    @Override
    int capacity(Object buffer) {
        return buffer instanceof boolean[] array ? array.length : WRONG_TYPE;
    }

    @Override
    void write(Object from, int at, ByteBuffer target, int count) {
        boolean[] array = (boolean[]) from;
        for (int i = 0; i < count; i++) {
            target.put((byte) (array[at + i] ? 1 : 0));
        }
    }

    @Override
    void read(Object into, int at, ByteBuffer source, int count) {
        boolean[] array = (boolean[]) into;
        for (int i = 0; i < count; i++) {
            array[at + i] = source.get() != 0;
        }
    }

    /** On truth values the bitwise operators, the maximum and the minimum are logical ones. */
    @Override
    void combine(Operator operator, Object in, Object inout, int count) {
        boolean[] s = (boolean[]) in;
        boolean[] t = (boolean[]) inout;
        switch (operator) {
            case MIN, LAND, BAND -> and(s, t, count);
            case MAX, LOR, BOR -> or(s, t, count);
            case LXOR, BXOR -> xor(s, t, count);
            default -> throw illegal(operator);
        }
    }

    private static void and(boolean[] s, boolean[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = s[i] & t[i];
        }
    }

    private static void or(boolean[] s, boolean[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = s[i] | t[i];
        }
    }

    private static void xor(boolean[] s, boolean[] t, int count) {
        for (int i = 0; i < count; i++) {
            t[i] = s[i] ^ t[i];
        }
    }
}
