package org.ulfmj.check.exhaustive;

import java.util.Arrays;

/** Remembers an int for each long. */
final class LongToInt {
    static final int UNKNOWN = -1;

    private final LongTable keys = new LongTable();
    private int[] values = new int[1 << 10];

    /** Returns the value of a key, or {@link #UNKNOWN} if the key has none. */
    int get(long key) {
        int number = keys.find(key);
        return number < 0 ? UNKNOWN : values[number];
    }

    void put(long key, int value) {
        int number = keys.number(key);
        if (number >= values.length) {
            values = Arrays.copyOf(values, 2 * values.length);
        }
        values[number] = value;
    }
}
