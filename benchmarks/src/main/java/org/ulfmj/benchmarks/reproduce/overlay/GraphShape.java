package org.ulfmj.benchmarks.reproduce.overlay;

import java.util.Arrays;
import org.ulfmj.detector.BinomialGraph;

/**
 * Size, degree, greatest and mean distance of the shipped overlay, seen from member 0. {@link #isTheSameFrom} tests
 * whether a given member has the same neighbours, rotated.
 *
 * @param members how many
 * @param degree neighbours of member 0
 * @param diameter hops from member 0 to the farthest other member
 * @param meanDistance hops from member 0 to the other members, on average
 */
record GraphShape(int members, int degree, int diameter, double meanDistance) {
    /** Measures breadth first, over the neighbours that {@link BinomialGraph} names. */
    static GraphShape of(int members) {
        int[] distance = new int[members];
        Arrays.fill(distance, -1);
        int[] queue = new int[members];
        int reached = 1;
        distance[0] = 0;
        long sum = 0;
        for (int next = 0; next < reached; next++) {
            int member = queue[next];
            sum += distance[member];
            for (int neighbour : BinomialGraph.neighbours(member, members)) {
                if (distance[neighbour] < 0) {
                    distance[neighbour] = distance[member] + 1;
                    queue[reached++] = neighbour;
                }
            }
        }
        if (reached < members) {
            throw new IllegalStateException("the graph of " + members + " joins only " + reached);
        }
        int degree = BinomialGraph.neighbours(0, members).length;
        return new GraphShape(members, degree, distance[queue[members - 1]], (double) sum / (members - 1));
    }

    /**
     * Whether the neighbours of a member are those of member 0, rotated, and the member is a neighbour of each of its
     * neighbours.
     */
    static boolean isTheSameFrom(int member, int members) {
        int[] turned = Arrays.stream(BinomialGraph.neighbours(0, members))
                .map(neighbour -> (neighbour + member) % members)
                .sorted()
                .toArray();
        return Arrays.equals(turned, BinomialGraph.neighbours(member, members))
                && Arrays.stream(turned)
                        .allMatch(neighbour ->
                                Arrays.binarySearch(BinomialGraph.neighbours(neighbour, members), member) >= 0);
    }
}
