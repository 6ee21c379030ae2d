package org.ulfmj.check.exhaustive;

import java.util.Arrays;

/**
 * The steps between the states of a world. They are kept to check that no state comes twice in one schedule. Then every
 * schedule ends, and a property that holds in all states without a next event holds at the end of every schedule.
 */
final class Edges {
    private static final int CHUNK = 1 << 20;

    private int[][] chunks = new int[16][];

    /** Per state, the index of its first step. Steps are added in the order of their states. */
    private int[] begins = new int[1 << 10];

    private int states;
    private int count;

    /** @param from a state not lower than that of the step added before */
    void add(int from, int to) {
        beginAllUpTo(from);
        if (count / CHUNK == chunks.length) {
            chunks = Arrays.copyOf(chunks, 2 * chunks.length);
        }
        if (count % CHUNK == 0) {
            chunks[count / CHUNK] = new int[CHUNK];
        }
        chunks[count / CHUNK][count % CHUNK] = to;
        count = Math.addExact(count, 1);
    }

    private void beginAllUpTo(int state) {
        while (states <= state) {
            if (states == begins.length) {
                begins = Arrays.copyOf(begins, 2 * states);
            }
            begins[states++] = count;
        }
    }

    /** Whether the steps lead from one of the states 0 to {@code size} − 1 back to itself. */
    boolean haveCycle(int size) {
        beginAllUpTo(size);
        int[] stepsInto = new int[size];
        for (int edge = 0; edge < count; edge++) {
            stepsInto[target(edge)]++;
        }
        int[] ready = new int[size];
        int found = 0;
        for (int state = 0; state < size; state++) {
            if (stepsInto[state] == 0) {
                ready[found++] = state;
            }
        }
        for (int done = 0; done < found; done++) {
            for (int edge = begins[ready[done]]; edge < begins[ready[done] + 1]; edge++) {
                if (--stepsInto[target(edge)] == 0) {
                    ready[found++] = target(edge);
                }
            }
        }
        return found < size;
    }

    private int target(int edge) {
        return chunks[edge / CHUNK][edge % CHUNK];
    }
}
