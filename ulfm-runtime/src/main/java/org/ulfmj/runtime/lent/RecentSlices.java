package org.ulfmj.runtime.lent;

import java.lang.ref.WeakReference;

/**
 * The last slices that the program has made of lent buffers, and where in lent memory each begins. A program may make a
 * slice per message, and most of these carry few bytes; so a slice is noted in passing, and known for good only once a
 * large message lies in it.
 */
final class RecentSlices {
    private static final int MOST = 16;

    private final WeakReference<?>[] slices = new WeakReference<?>[MOST];
    private final long[] ids = new long[MOST];
    private final int[] offsets = new int[MOST];
    private int next;

    /** Notes that a slice begins at an offset of the lent memory with that id, in bytes. */
    void add(Object slice, long id, int offset) {
        slices[next] = new WeakReference<>(slice);
        ids[next] = id;
        offsets[next] = offset;
        next = (next + 1) % MOST;
    }

    /** The number under which the slice is noted; −1 if it is not. */
    int find(Object slice) {
        for (int i = 0; i < MOST; i++) {
            if (slices[i] != null && slices[i].get() == slice) {
                return i;
            }
        }
        return -1;
    }

    long id(int number) {
        return ids[number];
    }

    int offset(int number) {
        return offsets[number];
    }
}
