package org.ulfmj.check.exhaustive.link;

import java.util.Arrays;

/** Finds out whether some of the steps between states form a circle, by Kahn's topological sort. */
final class Circles {
    private int[] from = new int[1024];
    private int[] to = new int[1024];
    private int steps;

    /** Adds a step from one state to another, or to the same. */
    void step(int before, int after) {
        if (steps == from.length) {
            from = Arrays.copyOf(from, 2 * steps);
            to = Arrays.copyOf(to, 2 * steps);
        }
        from[steps] = before;
        to[steps++] = after;
    }

    /** Returns the first of the states that lie on a circle or are reached from one; −1 if there is no circle. */
    int find(int states) {
        int[] first = new int[states + 1];
        int[] left = new int[states];
        for (int step = 0; step < steps; step++) {
            first[from[step] + 1]++;
            left[to[step]]++;
        }
        for (int state = 0; state < states; state++) {
            first[state + 1] += first[state];
        }
        int[] place = Arrays.copyOf(first, states);
        int[] next = new int[steps];
        for (int step = 0; step < steps; step++) {
            next[place[from[step]]++] = to[step];
        }
        int[] ready = new int[states];
        int known = 0;
        for (int state = 0; state < states; state++) {
            if (left[state] == 0) {
                ready[known++] = state;
            }
        }
        for (int done = 0; done < known; done++) {
            for (int at = first[ready[done]]; at < first[ready[done] + 1]; at++) {
                if (--left[next[at]] == 0) {
                    ready[known++] = next[at];
                }
            }
        }
        for (int state = 0; state < states; state++) {
            if (left[state] > 0) {
                return state;
            }
        }
        return -1;
    }
}
