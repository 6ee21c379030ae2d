package mpi;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.ulfmj.runtime.Communicator;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;

/**
 * The calls that make communicators with a topology, and {@code map}, from the program's arguments to the runtime.
 * Ranks keep their order: {@code reorder} only allows another one.
 */
final class TopologyCalls {
    private TopologyCalls() {}

    static CartComm createCart(Intracomm comm, int[] dims, boolean[] periods) {
        CommState state = comm.enter("createCart");
        try {
            int ranks = TopologyArguments.grid(state, "createCart", dims, periods, ErrorClass.ARG);
            Communicator made = state.communicator().creation().create(first(ranks), "createCart", "grid of ");
            return new CartComm(made == null ? null : state.child(made, new CartTopology(dims, periods, made.rank())));
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static CartComm sub(CartComm comm, boolean[] remainDims) {
        CommState state = comm.enter("sub");
        try {
            CartTopology grid = (CartTopology) state.topology();
            TopologyArguments.flags(state, "sub", "remainDims", remainDims, grid.dimensions());
            int[] ranks = grid.slice(state.communicator().rank(), remainDims);
            Communicator made = state.communicator().creation().create(ranks, "sub", "slice of ");
            return new CartComm(state.child(made, grid.remaining(remainDims, made.rank())));
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static int map(CartComm comm, int[] dims, boolean[] periods) {
        CommState state = comm.enter("map");
        try {
            return place(state, TopologyArguments.grid(state, "map", dims, periods, ErrorClass.DIMS));
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static GraphComm createGraph(Intracomm comm, int[] index, int[] edges) {
        CommState state = comm.enter("createGraph");
        try {
            TopologyArguments.graph(state, "createGraph", index, edges);
            Communicator made = state.communicator().creation().create(first(index.length), "createGraph", "graph of ");
            if (made == null) {
                return new GraphComm(null);
            }
            int[] known = edges == null ? new int[0] : edges;
            return new GraphComm(state.child(made, new GraphTopology(index, known, made.rank())));
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static int map(GraphComm comm, int[] index, int[] edges) {
        CommState state = comm.enter("map");
        try {
            TopologyArguments.graph(state, "map", index, edges);
            return place(state, index.length);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    /** @param isWeighted whether the program gave weights; if false, both arrays of weights are ignored */
    static GraphComm createDistGraphAdjacent(
            Intracomm comm,
            int[] sources,
            int[] sourceWeights,
            int[] destinations,
            int[] destWeights,
            boolean isWeighted,
            Info info) {
        String operation = "createDistGraphAdjacent";
        CommState state = comm.enter(operation);
        try {
            TopologyArguments.neighbors(state, operation, "sources", sources);
            if (isWeighted) {
                TopologyArguments.weights(state, operation, "sourceWeights", sourceWeights, sources.length);
            }
            TopologyArguments.neighbors(state, operation, "destinations", destinations);
            if (isWeighted) {
                TopologyArguments.weights(state, operation, "destWeights", destWeights, destinations.length);
            }
            Arguments.hints(state, operation, info);
            requireOwnEdgesAtBothEnds(state, operation, sources, destinations);
            DistGraphNeighbors edges = new DistGraphNeighbors(
                    sources.clone(),
                    isWeighted ? sourceWeights.clone() : new int[sources.length],
                    destinations.clone(),
                    isWeighted ? destWeights.clone() : new int[destinations.length],
                    isWeighted);
            int size = state.communicator().size();
            Communicator made = state.communicator().creation().create(first(size), operation, "graph of ");
            return new GraphComm(state.child(made, new DistGraphTopology(edges)));
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    private static void requireOwnEdgesAtBothEnds(
            CommState state, String operation, int[] sources, int[] destinations) {
        int rank = state.communicator().rank();
        long there = Arrays.stream(destinations).filter(to -> to == rank).count();
        long back = Arrays.stream(sources).filter(from -> from == rank).count();
        if (there != back) {
            throw TopologyArguments.oneSided(state, operation, there, back);
        }
    }

    /** @param isWeighted whether the program gave weights; if false, the array of weights is ignored */
    static GraphComm createDistGraph(
            Intracomm comm,
            int[] sources,
            int[] degrees,
            int[] destinations,
            int[] weights,
            boolean isWeighted,
            Info info) {
        String operation = "createDistGraph";
        CommState state = comm.enter(operation);
        try {
            TopologyArguments.nodes(state, operation, "sources", sources);
            TopologyArguments.nodes(state, operation, "destinations", destinations);
            TopologyArguments.degrees(state, operation, sources, degrees, destinations);
            if (isWeighted) {
                TopologyArguments.weights(state, operation, "weights", weights, destinations.length);
            }
            Arguments.hints(state, operation, info);
            EdgeExchange exchange = new EdgeExchange(state.communicator(), operation);
            int edge = 0;
            for (int node = 0; node < sources.length; node++) {
                for (int left = degrees[node]; left > 0; left--) {
                    exchange.add(sources[node], destinations[edge], isWeighted ? weights[edge] : 0);
                    edge++;
                }
            }
            Communicator made = state.communicator().creation().createAfter(operation, "graph of ", exchange::run);
            return new GraphComm(state.child(made, new DistGraphTopology(exchange.result(isWeighted))));
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    /** Ranks 0 to {@code count} − 1. */
    private static int[] first(int count) {
        return IntStream.range(0, count).toArray();
    }

    private static int place(CommState state, int ranks) {
        int rank = state.communicator().rank();
        return rank < ranks ? rank : MPI.UNDEFINED;
    }
}
