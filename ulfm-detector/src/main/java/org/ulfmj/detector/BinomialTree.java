package org.ulfmj.detector;

import java.util.Arrays;

/**
 * The order in which a process sends to its neighbours on the {@link BinomialGraph}: first to its children in the
 * binomial tree rooted at the originator, so that without failures an event needs only the depth of that tree, then to
 * the rest.
 *
 * <p>Counted from the root, the parent of a node is the node without its highest bit; the children of r are r + 2^k for
 * every 2^k above r. A child with a lower k has a subtree at least as large as that of one with a higher k, so the
 * child with most to pass on is served first. The graph also holds the mirror image of that tree, counted backward from
 * the root, and its children come next: many a node that is late in one tree is early in the other.
 *
 * <p>Only the distance from the originator counts, so the tree has the same shape for every originator.
 */
public final class BinomialTree {
    private BinomialTree() {}

    /**
     * Returns the neighbours of {@code index} in a graph of {@code size}: the children of the tree rooted at
     * {@code origin} by falling size of their subtrees, then those of its mirror image, then the others.
     */
    public static int[] childrenFirst(int origin, int index, int size) {
        BinomialGraph.requireIndex(origin, size);
        BinomialGraph.requireIndex(index, size);
        Order order = new Order(index, size);
        int onward = Math.floorMod(index - origin, size);
        for (long step = firstPowerAbove(onward); onward + step < size; step *= 2) {
            order.append(step);
        }
        int backward = Math.floorMod(origin - index, size);
        for (long step = firstPowerAbove(backward); backward + step < size; step *= 2) {
            order.append(-step);
        }
        long step = 1;
        for (; step < size; step *= 2) {
            order.append(-step);
        }
        for (step /= 2; step > 0; step /= 2) {
            order.append(step);
        }
        return order.toArray();
    }

    private static long firstPowerAbove(int value) {
        return value == 0 ? 1 : 2L * Integer.highestOneBit(value);
    }

    /** Collects neighbours in the order of sending, and leaves out those that were added before. */
    private static final class Order {
        private final int index;
        private final int size;
        private final int[] neighbours = new int[2 * Integer.SIZE];
        private int count;

        Order(int index, int size) {
            this.index = index;
            this.size = size;
        }

        void append(long step) {
            int neighbour = (int) Math.floorMod(index + step, (long) size);
            for (int i = 0; i < count; i++) {
                if (neighbours[i] == neighbour) {
                    return;
                }
            }
            neighbours[count++] = neighbour;
        }

        int[] toArray() {
            return Arrays.copyOf(neighbours, count);
        }
    }
}
