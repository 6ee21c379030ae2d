package mpi;

import org.ulfmj.runtime.collective.Neighborhood;

/**
 * A distributed graph, of which each rank knows its own edges (MPI 3.1 section 7.5.4). Immutable; arguments were
 * checked.
 */
final class DistGraphTopology implements Topology {
    private final DistGraphNeighbors edges;
    private final Neighborhood neighbors;

    DistGraphTopology(DistGraphNeighbors edges) {
        this.edges = edges;
        this.neighbors = Neighborhood.ofGraph(edges.sources(), edges.destinations());
    }

    @Override
    public int kind() {
        return MPI.DIST_GRAPH;
    }

    @Override
    public Neighborhood neighbors() {
        return neighbors;
    }

    @Override
    public GraphComm communicator(CommState made) {
        return new GraphComm(made);
    }

    DistGraphNeighbors edges() {
        return edges;
    }
}
