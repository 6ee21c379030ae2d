package mpi;

/**
 * A graph that was made by {@link Intracomm#createGraph}, from {@link GraphComm#getDims}. Immutable. A number of a node
 * or edge that the graph does not have is an error of class {@link MPI#ERR_ARG}.
 */
public final class GraphParms {
    private final int[] index;
    private final int[] edges;

    GraphParms(int[] index, int[] edges) {
        this.index = index;
        this.edges = edges;
    }

    /**
     * The number of nodes.
     *
     * <p>{@code MPI_Graphdims_get}, MPI 3.1 section 7.5.5.
     */
    public int getIndexCount() {
        return index.length;
    }

    /**
     * The number of neighbours that nodes 0 to {@code i} have together.
     *
     * <p>{@code MPI_Graph_get}, MPI 3.1 section 7.5.5.
     *
     * @throws MPIException of class {@link MPI#ERR_ARG} if there is no such entry
     */
    public int getIndex(int i) {
        return index[Arguments.entry("GraphParms.getIndex", i, index.length)];
    }

    /**
     * The number of edges. An edge that both of its nodes name is counted twice.
     *
     * <p>{@code MPI_Graphdims_get}, MPI 3.1 section 7.5.5.
     */
    public int getEdgeCount() {
        return edges.length;
    }

    /**
     * The node that edge {@code i} leads to.
     *
     * <p>{@code MPI_Graph_get}, MPI 3.1 section 7.5.5.
     *
     * @throws MPIException of class {@link MPI#ERR_ARG} if there is no such entry
     */
    public int getEdge(int i) {
        return edges[Arguments.entry("GraphParms.getEdge", i, edges.length)];
    }
}
