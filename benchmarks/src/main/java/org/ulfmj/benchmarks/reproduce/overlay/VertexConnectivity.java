package org.ulfmj.benchmarks.reproduce.overlay;

import java.util.ArrayDeque;
import java.util.Arrays;
import org.ulfmj.detector.BinomialGraph;

/**
 * The least number of failed members that can cut the others apart. Between two members that are not neighbours, as
 * many must fail as there can be ways that share no member in between (Menger's theorem). That number is computed as a
 * maximum flow in which each member is an edge of capacity one, from its entry to its exit; the least over all such
 * pairs counts.
 */
final class VertexConnectivity {
    private final int members;

    /**
     * Whether one unit may still flow from a node to another. Node 2i is the entry of member i, and node 2i + 1 its
     * exit.
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

    /**
     * The connectivity of the shipped graph. One less than its members if all are neighbours of all, as no failures cut
     * them then.
     */
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

    /**
     * Looks for a further way from source to sink, the shortest one, and takes up its capacity; returns false if there
     * is none.
     */
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
