package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.ulfmj.runtime.Communicator;
import org.ulfmj.runtime.collective.Blocks;

/**
 * Tells each rank its edges of a distributed graph in which a rank may name edges between any ranks. What one rank
 * sends to another begins with the outgoing edges of the receiver; the incoming edges of the receiver follow. A rank's
 * edges of one kind are ordered by the rank that named them, and those of one such rank in the order in which it named
 * them. Collective; for one thread.
 */
final class EdgeExchange {
    /** The two kinds of edges for the rank that is told of them: outgoing ones, then incoming ones. */
    private static final int KINDS = 2;
    /** The neighbour and the weight. */
    private static final int EDGE_BYTES = 2 * Integer.BYTES;

    private final Communicator communicator;
    private final String operation;
    private final int size;
    /** The edges that this rank names, three numbers each: source, destination, weight. */
    private int[] named = new int[24];

    private int end;
    /** How many edges this rank tells to each rank, outgoing ones and incoming ones separately. */
    private final int[] sent;

    private int[] received;
    private ByteBuffer edges;

    EdgeExchange(Communicator communicator, String operation) {
        this.communicator = communicator;
        this.operation = operation;
        this.size = communicator.size();
        this.sent = new int[KINDS * size];
    }

    /** Names an edge. */
    void add(int source, int destination, int weight) {
        if (end == named.length) {
            named = Arrays.copyOf(named, 2 * end);
        }
        named[end] = source;
        named[end + 1] = destination;
        named[end + 2] = weight;
        end += 3;
        sent[KINDS * source]++;
        sent[KINDS * destination + 1]++;
    }

    /** Tells each rank how many edges it will get from this one, and then exchanges the edges. */
    void run() {
        ByteBuffer counts = numbers(sent.length * Integer.BYTES);
        counts.asIntBuffer().put(sent);
        ByteBuffer countsOfOthers = numbers(sent.length * Integer.BYTES);
        Blocks two = Blocks.equal(size, KINDS * Integer.BYTES);
        communicator.collectives().exchange(operation, counts, two, countsOfOthers, two);
        received = new int[sent.length];
        countsOfOthers.asIntBuffer().get(received);

        Blocks outgoing = blocks(sent);
        Blocks incoming = blocks(received);
        ByteBuffer mine = write(outgoing);
        edges = numbers(total(received) * EDGE_BYTES);
        communicator.collectives().exchange(operation, mine, outgoing, edges, incoming);
    }

    private ByteBuffer write(Blocks outgoing) {
        ByteBuffer all = numbers(total(sent) * EDGE_BYTES);
        int[] next = new int[sent.length];
        for (int rank = 0; rank < size; rank++) {
            next[KINDS * rank] = outgoing.offset(rank);
            next[KINDS * rank + 1] = outgoing.offset(rank) + sent[KINDS * rank] * EDGE_BYTES;
        }
        for (int edge = 0; edge < end; edge += 3) {
            write(all, next, KINDS * named[edge], named[edge + 1], named[edge + 2]);
            write(all, next, KINDS * named[edge + 1] + 1, named[edge], named[edge + 2]);
        }
        return all;
    }

    private static void write(ByteBuffer all, int[] next, int list, int neighbor, int weight) {
        all.putInt(next[list], neighbor).putInt(next[list] + Integer.BYTES, weight);
        next[list] += EDGE_BYTES;
    }

    /** This rank's edges, after {@link #run}. */
    DistGraphNeighbors result(boolean isWeighted) {
        int[][] neighbors = new int[KINDS][];
        int[][] weights = new int[KINDS][];
        for (int kind = 0; kind < KINDS; kind++) {
            int degree = 0;
            for (int rank = 0; rank < size; rank++) {
                degree += received[KINDS * rank + kind];
            }
            neighbors[kind] = new int[degree];
            weights[kind] = new int[degree];
        }
        int[] found = new int[KINDS];
        int at = 0;
        for (int list = 0; list < received.length; list++) {
            int kind = list % KINDS;
            for (int left = received[list]; left > 0; left--) {
                neighbors[kind][found[kind]] = edges.getInt(at);
                weights[kind][found[kind]++] = edges.getInt(at + Integer.BYTES);
                at += EDGE_BYTES;
            }
        }
        return new DistGraphNeighbors(neighbors[1], weights[1], neighbors[0], weights[0], isWeighted);
    }

    private static int total(int[] counts) {
        int total = 0;
        for (int count : counts) {
            total = Math.addExact(total, count);
        }
        return total;
    }

    private Blocks blocks(int[] counts) {
        int[] lengths = new int[size];
        for (int rank = 0; rank < size; rank++) {
            lengths[rank] = Math.multiplyExact(counts[KINDS * rank] + counts[KINDS * rank + 1], EDGE_BYTES);
        }
        return Blocks.packed(lengths);
    }

    private static ByteBuffer numbers(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
    }
}
