package org.ulfmj.benchmarks.reproduce.overlay;

import java.util.Arrays;

/**
 * For comparison with the shipped broadcast: members tell the same neighbours of the revocation, but always in the
 * order of the distances 1, 2, 4, and so on: at each distance the one after the member, then the one before it.
 */
final class NearestFirst implements RevokeWave.Members {
    private final int size;

    NearestFirst(int size) {
        this.size = size;
    }

    @Override
    public int[] onFirst(int rank, int initiator) {
        int[] order = new int[2 * Integer.SIZE];
        int count = 0;
        for (long distance = 1; distance < size; distance *= 2) {
            count = append(order, count, (int) ((rank + distance) % size));
            count = append(order, count, (int) ((rank - distance + size) % size));
        }
        return Arrays.copyOf(order, count);
    }

    private static int append(int[] order, int count, int rank) {
        for (int i = 0; i < count; i++) {
            if (order[i] == rank) {
                return count;
            }
        }
        order[count] = rank;
        return count + 1;
    }
}
