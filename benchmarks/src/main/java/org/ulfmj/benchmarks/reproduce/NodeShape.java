package org.ulfmj.benchmarks.reproduce;

import java.util.Arrays;
import org.ulfmj.agree.tree.TreeShape;

/**
 * Trees for members that share nodes: a binary tree over the first members of the nodes, and within a node either a
 * star or a binary tree under its first member. For comparison with a flat binary tree. Places are members of a world
 * without failures, this many per node, one node after the other.
 */
record NodeShape(int ranksPerNode, boolean isStarWithin) implements TreeShape {
    /** All other members of a node are children of its first one. */
    static NodeShape binStar(int ranksPerNode) {
        return new NodeShape(ranksPerNode, true);
    }

    /** The members of a node form a binary tree. */
    static NodeShape binBin(int ranksPerNode) {
        return new NodeShape(ranksPerNode, false);
    }

    @Override
    public int parent(int place) {
        int node = place / ranksPerNode;
        int within = place % ranksPerNode;
        if (within == 0) {
            return (node - 1) / 2 * ranksPerNode;
        }
        return node * ranksPerNode + (isStarWithin ? 0 : (within - 1) / 2);
    }

    @Override
    public int[] children(int place, int size) {
        int node = place / ranksPerNode;
        int within = place % ranksPerNode;
        int[] found = new int[ranksPerNode + 2];
        int count = 0;
        int first = isStarWithin ? 1 : 2 * within + 1;
        int last = isStarWithin ? ranksPerNode - 1 : 2 * within + 2;
        if (within == 0 || !isStarWithin) {
            for (int child = first; child <= Math.min(last, ranksPerNode - 1); child++) {
                found[count++] = node * ranksPerNode + child;
            }
        }
        if (within == 0) {
            found[count++] = (2 * node + 1) * ranksPerNode;
            found[count++] = (2 * node + 2) * ranksPerNode;
        }
        return Arrays.stream(found, 0, count).filter(child -> child < size).toArray();
    }
}
