package org.ulfmj.benchmarks.reproduce;

import java.util.Arrays;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.sim.SeededRandom;

/** Draws victims. */
final class RandomSlots {
    private RandomSlots() {}

    /** Draws this many different slots below {@code size}, each choice about as likely as any other. */
    static SlotSet of(int count, int size, SeededRandom random) {
        return SlotSet.of(Arrays.copyOf(order(size, random), count));
    }

    /** The numbers from 0 to {@code count} − 1 in random order. */
    static int[] order(int count, SeededRandom random) {
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            int at = random.below(i + 1);
            order[i] = order[at];
            order[at] = i;
        }
        return order;
    }
}
