package org.ulfmj.detector;

import java.util.Arrays;

/**
 * The overlay over which failures and revocations travel: index i is joined to (i ± 2^k) mod size for every 2^k below
 * size. Each index has about 2 log2(size) neighbours. Any two indices are a few hops apart, and as many ways without a
 * common edge lead from one to the other as an index has neighbours. The graph contains the {@link BinomialTree} of
 * every root for every size, which is why the powers go up to size and not only to half of it.
 */
public final class BinomialGraph {
    private BinomialGraph() {}

    /** Neighbours of {@code index} in a graph of {@code size} members, ascending, without the index itself. */
    public static int[] neighbours(int index, int size) {
        return atPowers(index, size, 0);
    }

    /** Whether two indices of a graph of {@code size} members are neighbours. */
    public static boolean areNeighbours(int one, int other, int size) {
        requireIndex(one, size);
        requireIndex(other, size);
        int apart = Math.abs(one - other);
        return one != other && (isPower(apart) || isPower(size - apart));
    }

    private static boolean isPower(int steps) {
        return (steps & steps - 1) == 0;
    }

    /**
     * Returns the neighbours of an index, and every index that becomes a neighbour when any single other member dies:
     * if the dead member lay between the two, an index at distance 2^k + 1 comes to distance 2^k. Ascending, without
     * the index itself.
     */
    public static int[] neighboursAfterADeath(int index, int size) {
        return atPowers(index, size, 1);
    }

    /**
     * Returns the indices at distance 2^k to 2^k + {@code more} from {@code index}, in both directions, for every 2^k
     * below size; distances of size and more are left out. Ascending and distinct.
     */
    private static int[] atPowers(int index, int size, int more) {
        requireIndex(index, size);
        int[] found = new int[2 * Integer.SIZE * (more + 1)];
        int count = 0;
        for (long power = 1; power < size; power *= 2) {
            for (long step = power; step <= power + more && step < size; step++) {
                found[count++] = (int) ((index + step) % size);
                found[count++] = (int) ((index - step + size) % size);
            }
        }
        Arrays.sort(found, 0, count);
        int distinct = 0;
        for (int i = 0; i < count; i++) {
            if (i == 0 || found[i] != found[i - 1]) {
                found[distinct++] = found[i];
            }
        }
        return Arrays.copyOf(found, distinct);
    }

    static void requireIndex(int index, int size) {
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException("index " + index + " in a graph of " + size);
        }
    }
}
