package mpi;

import java.util.Arrays;
import org.ulfmj.runtime.collective.Neighborhood;

/**
 * A graph that every rank knows whole: the neighbours of rank r are {@code edges[index[r − 1]]} (of rank 0:
 * {@code edges[0]}) to {@code edges[index[r] − 1]} (MPI 3.1 section 7.5.3). Immutable; arguments were checked.
 */
final class GraphTopology implements Topology {
    private final int[] index;
    private final int[] edges;
    private final Neighborhood neighbors;
    private final String problem;

    /**
     * The graph as its rank {@code own} sees it, whose neighbours it keeps. The array of edges may be longer than the
     * graph needs.
     */
    GraphTopology(int[] index, int[] edges, int own) {
        this.index = index.clone();
        this.edges = Arrays.copyOf(edges, index[index.length - 1]);
        int[] of = neighborsOf(own);
        this.neighbors = Neighborhood.ofGraph(of, of);
        this.problem = findAsymmetry();
    }

    @Override
    public int kind() {
        return MPI.GRAPH;
    }

    @Override
    public Neighborhood neighbors() {
        return neighbors;
    }

    @Override
    public String problem() {
        return problem;
    }

    @Override
    public GraphComm communicator(CommState made) {
        return new GraphComm(made);
    }

    GraphParms parameters() {
        return new GraphParms(index.clone(), edges.clone());
    }

    int[] neighborsOf(int rank) {
        return Arrays.copyOfRange(edges, rank == 0 ? 0 : index[rank - 1], index[rank]);
    }

    /**
     * Looks for two ranks of which one names the other as a neighbour more often than the other way round. Returns a
     * description of them; null if there are none.
     */
    private String findAsymmetry() {
        int size = index.length;
        long[] there = new long[edges.length];
        long[] back = new long[edges.length];
        int edge = 0;
        for (int from = 0; from < size; from++) {
            for (; edge < index[from]; edge++) {
                there[edge] = (long) from * size + edges[edge];
                back[edge] = (long) edges[edge] * size + from;
            }
        }
        Arrays.sort(there);
        Arrays.sort(back);
        int differs = Arrays.mismatch(there, back);
        if (differs < 0) {
            return null;
        }
        long pair = Math.min(there[differs], back[differs]);
        return "the graph has another number of edges from rank " + pair / size + " to rank " + pair % size
                + " than back; allowed: as many";
    }
}
