package mpi;

import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;

/**
 * A communicator whose ranks are the nodes of a graph. {@link Intracomm#createGraph} makes one whose edges all ranks
 * know; in one of {@link Intracomm#createDistGraph} or {@link Intracomm#createDistGraphAdjacent} a rank knows its own
 * edges only. {@link #dup}, {@link #iDup} and {@link #clone} keep the graph. What {@code split}, {@code create},
 * {@code shrink} and {@code replace} give has no topology.
 */
public final class GraphComm extends Intracomm {
    GraphComm(CommState made) {
        super(made);
    }

    private GraphComm(Making making) {
        super(null, making);
    }

    @Override
    public GraphComm dupWithInfo(Info info) {
        return (GraphComm) super.dupWithInfo(info);
    }

    @Override
    public GraphComm dup() {
        return (GraphComm) super.dup();
    }

    @Override
    public GraphComm iDup() {
        return new GraphComm(startDup());
    }

    @Override
    public GraphComm clone() {
        return dup();
    }

    /**
     * The whole graph. Local.
     *
     * <p>{@code MPI_Graph_get}, MPI 3.1 section 7.5.5.
     *
     * @throws MPIException of class {@code ERR_TOPOLOGY} if the graph is a distributed one
     */
    public GraphParms getDims() {
        CommState state = enter("getDims");
        try {
            return graph(state, "getDims").parameters();
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * The neighbours of a rank, in the order of the graph's edges. Local.
     *
     * <p>{@code MPI_Graph_neighbors}, MPI 3.1 section 7.5.5.
     *
     * @throws MPIException of class {@code ERR_TOPOLOGY} if the graph is a distributed one, {@code ERR_RANK} if there
     *     is no such rank
     */
    public int[] getNeighbors(int rank) {
        CommState state = enter("getNeighbors");
        try {
            GraphTopology graph = graph(state, "getNeighbors");
            TopologyArguments.member(state, "getNeighbors", rank);
            return graph.neighborsOf(rank);
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    private static GraphTopology graph(CommState state, String operation) {
        if (state.topology() instanceof GraphTopology graph) {
            return graph;
        }
        throw state.bad(
                ErrorClass.TOPOLOGY,
                operation,
                "the communicator has a distributed graph, of which no rank knows the whole; allowed: a communicator"
                        + " made by createGraph (getDistGraphNeighbors says the caller's neighbours)");
    }

    /**
     * The caller's edges in a distributed graph. If it was made by {@link Intracomm#createDistGraphAdjacent}, they are
     * in the order of its arguments; if by {@link Intracomm#createDistGraph}, by the rank that named them, and those
     * that one rank named in the order of its arguments. Local.
     *
     * <p>{@code MPI_Dist_graph_neighbors}, MPI 3.1 section 7.5.5.
     *
     * @throws MPIException of class {@code ERR_TOPOLOGY} if the graph is not a distributed one
     */
    public DistGraphNeighbors getDistGraphNeighbors() {
        CommState state = enter("getDistGraphNeighbors");
        try {
            if (state.topology() instanceof DistGraphTopology graph) {
                return graph.edges();
            }
            throw state.bad(
                    ErrorClass.TOPOLOGY,
                    "getDistGraphNeighbors",
                    "the communicator's graph is not distributed; allowed: a communicator made by createDistGraph or"
                            + " createDistGraphAdjacent (getNeighbors says any rank's neighbours)");
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * The rank that a graph would best give to the caller, which is its rank here, or {@link MPI#UNDEFINED} if the
     * graph has no node for it. Local.
     *
     * <p>{@code MPI_Graph_map}, MPI 3.1 section 7.5.8.
     *
     * @param index for each node, the number of edges of that node and of all before it
     * @param edges the neighbours of node 0, then those of node 1, and so on
     */
    public int map(int[] index, int[] edges) {
        return TopologyCalls.map(this, index, edges);
    }
}
