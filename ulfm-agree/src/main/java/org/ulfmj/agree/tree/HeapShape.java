package org.ulfmj.agree.tree;

/**
 * A heap in which each place has up to {@code fanOut} children. The children of place i are place fanOut · i + 1 and
 * the following ones.
 */
public final class HeapShape implements TreeShape {
    private static final int[] NONE = {};

    private final int fanOut;

    public HeapShape(int fanOut) {
        this.fanOut = fanOut;
    }

    @Override
    public int parent(int place) {
        return (place - 1) / fanOut;
    }

    @Override
    public int[] children(int place, int size) {
        long first = (long) fanOut * place + 1;
        if (first >= size) {
            return NONE;
        }
        int[] children = new int[(int) Math.min(fanOut, size - first)];
        for (int i = 0; i < children.length; i++) {
            children[i] = (int) first + i;
        }
        return children;
    }
}
