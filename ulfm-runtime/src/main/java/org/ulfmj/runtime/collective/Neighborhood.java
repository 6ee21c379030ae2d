package org.ulfmj.runtime.collective;

import java.util.Arrays;
import org.ulfmj.runtime.message.MessageKey;

/**
 * The neighbours of one rank in a topology: part i of its receive buffer comes from source i, part i of its send buffer
 * goes to destination i. A neighbour may be the rank itself, may be there several times, and may be no rank
 * ({@link MessageKey#NO_RANK}): its part is then left alone. Immutable.
 *
 * <p>Of several messages from one rank to another, the first that is sent belongs to the first source that names the
 * sender. In a grid, what a rank sends upwards in a dimension is what its upper neighbour gets from below, also where
 * both neighbours are one rank, as in a periodic dimension of one or two ranks. So a rank sends upwards before it sends
 * downwards (MPI 4.0 section 8.6).
 */
public final class Neighborhood {
    private final int[] sources;
    private final int[] destinations;
    private final boolean isGrid;

    private Neighborhood(int[] sources, int[] destinations, boolean isGrid) {
        this.sources = sources;
        this.destinations = destinations;
        this.isGrid = isGrid;
    }

    /** The neighbours in a graph; several messages from one rank to another match in the order of the arrays. */
    public static Neighborhood ofGraph(int[] sources, int[] destinations) {
        return new Neighborhood(sources.clone(), destinations.clone(), false);
    }

    /** The neighbours in a grid: the lower and the upper one of each dimension in turn. */
    public static Neighborhood ofGrid(int[] neighbors) {
        int[] both = neighbors.clone();
        return new Neighborhood(both, both, true);
    }

    public int sourceCount() {
        return sources.length;
    }

    /** The rank that part {@code i} of the receive buffer comes from. */
    public int source(int i) {
        return sources[i];
    }

    public int destinationCount() {
        return destinations.length;
    }

    /** The rank that part {@code i} of the send buffer goes to. */
    public int destination(int i) {
        return destinations[i];
    }

    /** Returns which part of the send buffer goes out as message number {@code turn}. */
    int sentAt(int turn) {
        return isGrid ? turn ^ 1 : turn;
    }

    /**
     * Returns which parts of the send buffer a rank sends to itself, in the order of those parts of the receive buffer
     * to which they go; there are as many of these.
     */
    public int[] partsToItself(int rank) {
        int[] parts = new int[destinations.length];
        int count = 0;
        for (int turn = 0; turn < destinations.length; turn++) {
            if (destinations[sentAt(turn)] == rank) {
                parts[count++] = sentAt(turn);
            }
        }
        return Arrays.copyOf(parts, count);
    }
}
