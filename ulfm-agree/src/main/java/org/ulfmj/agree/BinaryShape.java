package org.ulfmj.agree;

/** The children of i are 2i + 1 and 2i + 2. */
final class BinaryShape implements TreeShape {
    private static final int[] NONE = {};

    @Override
    public int parent(int place) {
        return (place - 1) / 2;
    }

    @Override
    public int[] children(int place, int size) {
        long left = 2L * place + 1;
        if (left >= size) {
            return NONE;
        }
        return left + 1 < size ? new int[] {(int) left, (int) left + 1} : new int[] {(int) left};
    }
}
