package org.ulfmj.check.exhaustive;

import java.util.Arrays;

/**
 * Distinct long values, numbered from 0 in the order in which they were added. The values themselves are stored and
 * compared, not only hashes of them.
 */
final class LongTable {
    private static final int SMALLEST = 1 << 10;

    private long[] values = new long[SMALLEST];

    /** A hash table with open addressing: an entry holds the number of a value plus 1, or 0 if it is empty. */
    private int[] places = new int[2 * SMALLEST];

    private int size;

    int size() {
        return size;
    }

    long value(int number) {
        return values[number];
    }

    /** Returns the number of a value, or −1 if the value is not in the table. */
    int find(long value) {
        return places[place(value)] - 1;
    }

    /** Returns the number of a value. A new value gets the next number. */
    int number(long value) {
        int place = place(value);
        if (places[place] != 0) {
            return places[place] - 1;
        }
        if (size == values.length) {
            grow();
            place = place(value);
        }
        values[size] = value;
        places[place] = ++size;
        return size - 1;
    }

    private void grow() {
        if (size >= 1 << 29) {
            throw new IllegalStateException(
                    "a world of more than " + size + " states is too large to be visited whole");
        }
        values = Arrays.copyOf(values, 2 * size);
        places = new int[4 * size];
        for (int number = 0; number < size; number++) {
            places[place(values[number])] = number + 1;
        }
    }

    private int place(long value) {
        long mixed = value * 0x9e3779b97f4a7c15L;
        mixed = (mixed ^ (mixed >>> 32)) * 0xd6e8feb86659fd93L;
        int at = (int) (mixed >>> 33) & (places.length - 1);
        while (places[at] != 0 && values[places[at] - 1] != value) {
            at = (at + 1) & (places.length - 1);
        }
        return at;
    }
}
