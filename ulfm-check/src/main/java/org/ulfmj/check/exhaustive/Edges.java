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

    /** Returns one of the states 0 to {@code size} − 1 from which steps lead back to itself; −1 if there is none. */
    int stateOfACycle(int size) {
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
        return found == size ? -1 : stateOfACycle(stepsInto);
    }

    /** @param stepsInto per state, the number of steps into it from states that a cycle leads to; not 0 everywhere */
    private int stateOfACycle(int[] stepsInto) {
        int[] before = new int[stepsInto.length];
        int state = 0;
        for (int left = 0; left < stepsInto.length; left++) {
            for (int edge = begins[left]; stepsInto[left] > 0 && edge < begins[left + 1]; edge++) {
                before[target(edge)] = left;
                state = target(edge);
            }
        }
        // A state that is left comes before each of them. So the way back, once it has as many steps as there are
        // states, goes round a cycle.
        for (int step = 0; step < before.length; step++) {
            state = before[state];
        }
        int lowest = state;
        for (int other = before[state]; other != state; other = before[other]) {
            lowest = Math.min(lowest, other);
        }
        return lowest;
    }

    private int target(int edge) {
        return chunks[edge / CHUNK][edge % CHUNK];
    }
}
