package mpi;

/**
 * The caller's neighbours in a distributed graph, from {@link GraphComm#getDistGraphNeighbors}. Immutable. A number of
 * an edge that the caller does not have is an error of class {@link MPI#ERR_ARG}.
 */
public final class DistGraphNeighbors {
    private final int[] sources;
    private final int[] sourceWeights;
    private final int[] destinations;
    private final int[] destinationWeights;
    private final boolean weighted;

    /** @param weighted whether the program gave weights; if not, all weights are 0 */
    DistGraphNeighbors(
            int[] sources, int[] sourceWeights, int[] destinations, int[] destinationWeights, boolean weighted) {
        this.sources = sources;
        this.sourceWeights = sourceWeights;
        this.destinations = destinations;
        this.destinationWeights = destinationWeights;
        this.weighted = weighted;
    }

    int[] sources() {
        return sources;
    }

    int[] destinations() {
        return destinations;
    }

    /**
     * The number of edges that lead to the caller.
     *
     * <p>{@code MPI_Dist_graph_neighbors_count}, MPI 3.1 section 7.5.5.
     */
    public int getInDegree() {
        return sources.length;
    }

    /**
     * The number of edges that lead away from the caller.
     *
     * <p>{@code MPI_Dist_graph_neighbors_count}, MPI 3.1 section 7.5.5.
     */
    public int getOutDegree() {
        return destinations.length;
    }

    /**
     * Whether the edges have weights.
     *
     * <p>{@code MPI_Dist_graph_neighbors_count}, MPI 3.1 section 7.5.5.
     */
    public boolean isWeighted() {
        return weighted;
    }

    /**
     * The rank that edge {@code i} to the caller comes from, or {@link MPI#PROC_NULL} if the program named that.
     *
     * <p>{@code MPI_Dist_graph_neighbors}, MPI 3.1 section 7.5.5.
     *
     * @throws MPIException of class {@link MPI#ERR_ARG} if there is no such edge
     */
    public int getSource(int i) {
        return sources[Arguments.entry("DistGraphNeighbors.getSource", i, sources.length)];
    }

    /**
     * The weight of edge {@code i} to the caller; 0 if edges have no weights.
     *
     * <p>{@code MPI_Dist_graph_neighbors}, MPI 3.1 section 7.5.5.
     *
     * @throws MPIException of class {@link MPI#ERR_ARG} if there is no such edge
     */
    public int getSourceWeight(int i) {
        return sourceWeights[Arguments.entry("DistGraphNeighbors.getSourceWeight", i, sourceWeights.length)];
    }

    /**
     * The rank that edge {@code i} from the caller leads to, or {@link MPI#PROC_NULL} if the program named that.
     *
     * <p>{@code MPI_Dist_graph_neighbors}, MPI 3.1 section 7.5.5.
     *
     * @throws MPIException of class {@link MPI#ERR_ARG} if there is no such edge
     */
    public int getDestination(int i) {
        return destinations[Arguments.entry("DistGraphNeighbors.getDestination", i, destinations.length)];
    }

    /**
     * The weight of edge {@code i} from the caller; 0 if edges have no weights.
     *
     * <p>{@code MPI_Dist_graph_neighbors}, MPI 3.1 section 7.5.5.
     *
     * @throws MPIException of class {@link MPI#ERR_ARG} if there is no such edge
     */
    public int getDestinationWeight(int i) {
        return destinationWeights[
                Arguments.entry("DistGraphNeighbors.getDestinationWeight", i, destinationWeights.length)];
    }
}
