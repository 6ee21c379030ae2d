package org.ulfmj.benchmarks.reproduce.overlay;

import java.util.ArrayDeque;
import java.util.Arrays;
import org.ulfmj.detector.BinomialGraph;

/**
 * How many members must fail before the others are cut apart: by Menger's theorem the least number of ways between two
 * members that are not neighbours and share no member in between. Counted as a maximum flow, each member being an edge
 * of capacity one from where ways come in to where they go on.
 */
final class VertexConnectivity {
    private final int members;

    /**
     * Whether one unit may still flow from a node to another; 2i is where ways come into i, 2i + 1 where they go on.
     */
    private final boolean[][] open;

    private VertexConnectivity(int members) {
        this.members = members;
        this.open = new boolean[2 * members][2 * members];
        for (int member = 0; member < members; member++) {
            open[2 * member][2 * member + 1] = true;
            for (int neighbour : BinomialGraph.neighbours(member, members)) {
                open[2 * member + 1][2 * neighbour] = true;
            }
        }
    }

    /** Of the shipped graph; one less than its members where all are joined to all, as there is nothing to cut then. */
    static int of(int members) {
        int least = members - 1;
        for (int from = 0; from < members; from++) {
            for (int to = from + 1; to < members; to++) {
                if (Arrays.binarySearch(BinomialGraph.neighbours(from, members), to) < 0) {
                    least = Math.min(least, new VertexConnectivity(members).waysBetween(from, to));
                }
            }
        }
        return least;
    }

    private int waysBetween(int from, int to) {
        int ways = 0;
        while (findsAnother(2 * from + 1, 2 * to)) {
            ways++;
        }
        return ways;
    }

    /** Looks for one more way, the shortest there is, and takes it. */
    private boolean findsAnother(int source, int sink) {
        int[] before = new int[2 * members];
        Arrays.fill(before, -1);
        before[source] = source;
        ArrayDeque<Integer> queue = new ArrayDeque<>();
        queue.add(source);
        while (!queue.isEmpty() && before[sink] < 0) {
            int node = queue.remove();
            for (int next = 0; next < open.length; next++) {
                if (open[node][next] && before[next] < 0) {
                    before[next] = node;
                    queue.add(next);
                }
            }
        }
        if (before[sink] < 0) {
            return false;
        }
        for (int node = sink; node != source; node = before[node]) {
            open[before[node]][node] = false;
            open[node][before[node]] = true;
        }
        return true;
    }
}
