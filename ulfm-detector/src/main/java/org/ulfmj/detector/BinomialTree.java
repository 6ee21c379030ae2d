package org.ulfmj.detector;

/**
 * In which order a process sends to its neighbours on the {@link BinomialGraph}: first to its children in the binomial
 * tree rooted at the originator, so that without failures an event needs only the depth of that tree, then to the rest.
 *
 * <p>Counted from the root, the parent of a node is the node without its highest bit; the children of r are r + 2^k for
 * every 2^k above r. The lower the k, the larger the subtree, so the child with most to pass on is served first.
 */
public final class BinomialTree {
    private BinomialTree() {}

    /**
     * The neighbours of {@code index} in a graph of {@code size}: the children of the tree rooted at {@code origin} by
     * falling size of their subtrees, then the others ascending.
     */
    public static int[] childrenFirst(int origin, int index, int size) {
        BinomialGraph.requireIndex(origin, size);
        int[] neighbours = BinomialGraph.neighbours(index, size);
        int[] ordered = new int[neighbours.length];
        int count = 0;
        int fromRoot = Math.floorMod(index - origin, size);
        for (long step = firstPowerAbove(fromRoot); fromRoot + step < size; step *= 2) {
            ordered[count++] = (int) ((index + step) % size);
        }
        int children = count;
        for (int neighbour : neighbours) {
            if (!contains(ordered, children, neighbour)) {
                ordered[count++] = neighbour;
            }
        }
        return ordered;
    }

    private static long firstPowerAbove(int value) {
        return value == 0 ? 1 : 2L * Integer.highestOneBit(value);
    }

    private static boolean contains(int[] values, int count, int wanted) {
        for (int i = 0; i < count; i++) {
            if (values[i] == wanted) {
                return true;
            }
        }
        return false;
    }
}
