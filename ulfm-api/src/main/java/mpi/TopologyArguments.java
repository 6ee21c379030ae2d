package mpi;

import java.util.Arrays;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;

/**
 * Checks of arguments that describe a topology, or a rank's place in one. Each error's message names an argument, what
 * is wrong with it and what is allowed. Without state.
 */
final class TopologyArguments {
    private TopologyArguments() {}

    /**
     * Checks the dimensions of a grid, that there is a flag for each of them, and that the communicator has enough
     * ranks. Returns the grid's number of ranks.
     *
     * @param tooLarge the error class for a grid that has more ranks than the communicator
     */
    static int grid(CommState comm, String operation, int[] dims, boolean[] periods, ErrorClass tooLarge) {
        Arguments.notNull(comm, operation, "dims", dims, "the number of ranks along each dimension");
        flags(comm, operation, "periods", periods, dims.length);
        int size = comm.communicator().size();
        long ranks = 1;
        for (int i = 0; i < dims.length; i++) {
            if (dims[i] < 1) {
                throw comm.bad(ErrorClass.DIMS, operation, "dims[" + i + "] is " + dims[i] + "; allowed: 1 to " + size);
            }
            ranks *= dims[i];
            if (ranks > size) {
                throw comm.bad(
                        tooLarge,
                        operation,
                        "dims is " + Arrays.toString(dims) + "; allowed: lengths with a product of 1 to " + size);
            }
        }
        return (int) ranks;
    }

    /** Checks that there is a flag for each dimension; the array may be longer. */
    static void flags(CommState comm, String operation, String name, boolean[] flags, int dimensions) {
        if (flags == null || flags.length < dimensions) {
            throw comm.bad(
                    ErrorClass.ARG,
                    operation,
                    lengthOf(name, flags == null ? -1 : flags.length, dimensions, "dimensions"));
        }
    }

    static void coordinates(CommState comm, CartTopology grid, int[] coords) {
        int dimensions = grid.dimensions();
        if (dimensions > 0 && (coords == null || coords.length < dimensions)) {
            throw comm.bad(
                    ErrorClass.ARG,
                    "getRank",
                    lengthOf("coords", coords == null ? -1 : coords.length, dimensions, "dimensions"));
        }
        for (int i = 0; i < dimensions; i++) {
            if (!grid.isPeriodic(i) && (coords[i] < 0 || coords[i] >= grid.dim(i))) {
                throw comm.bad(
                        ErrorClass.ARG,
                        "getRank",
                        "coords[" + i + "] is " + coords[i] + "; allowed: 0 to " + (grid.dim(i) - 1)
                                + ", because the dimension is not periodic");
            }
        }
    }

    static void direction(CommState comm, CartTopology grid, int direction) {
        int dimensions = grid.dimensions();
        if (direction < 0 || direction >= dimensions) {
            throw comm.bad(
                    ErrorClass.DIMS,
                    "shift",
                    "direction is " + direction + "; allowed: "
                            + (dimensions == 0
                                    ? "none, because the grid has no dimension"
                                    : "0 to " + (dimensions - 1)));
        }
    }

    /** Checks a rank of the communicator itself. */
    static void member(CommState comm, String operation, int rank) {
        int size = comm.communicator().size();
        if (rank < 0 || rank >= size) {
            throw comm.bad(ErrorClass.RANK, operation, "rank is " + rank + "; allowed: 0 to " + (size - 1));
        }
    }

    /** Checks a graph, and that the communicator has enough ranks for it. */
    static void graph(CommState comm, String operation, int[] index, int[] edges) {
        Arguments.notNull(comm, operation, "index", index, "an index for each node");
        int size = comm.communicator().size();
        int nodes = index.length;
        if (nodes > size) {
            throw comm.bad(ErrorClass.ARG, operation, "index has " + nodes + " nodes; allowed: 0 to " + size);
        }
        int before = 0;
        for (int node = 0; node < nodes; node++) {
            if (index[node] < before) {
                throw comm.bad(
                        ErrorClass.ARG,
                        operation,
                        "index[" + node + "] is " + index[node] + "; allowed: from " + before
                                + ", the edges of the nodes before");
            }
            before = index[node];
        }
        if (before > 0 && (edges == null || edges.length < before)) {
            throw comm.bad(
                    ErrorClass.ARG,
                    operation,
                    "edges " + (edges == null ? "is null" : "has " + edges.length + " elements") + " but index["
                            + (nodes - 1) + "] is " + before + "; allowed: as many elements, or more");
        }
        for (int edge = 0; edge < before; edge++) {
            if (edges[edge] < 0 || edges[edge] >= nodes) {
                throw comm.bad(
                        ErrorClass.ARG,
                        operation,
                        "edges[" + edge + "] is " + edges[edge] + "; allowed: 0 to " + (nodes - 1));
            }
        }
    }

    /** Checks the ranks of the caller's neighbours, each of which may also be {@link MPI#PROC_NULL}. */
    static void neighbors(CommState comm, String operation, String name, int[] ranks) {
        ranks(comm, operation, name, ranks, true);
    }

    /** Checks the nodes of a graph's edges. */
    static void nodes(CommState comm, String operation, String name, int[] ranks) {
        ranks(comm, operation, name, ranks, false);
    }

    private static void ranks(CommState comm, String operation, String name, int[] ranks, boolean mayBeNone) {
        Arguments.notNull(comm, operation, name, ranks, "an array of ranks");
        int size = comm.communicator().size();
        for (int i = 0; i < ranks.length; i++) {
            if ((ranks[i] < 0 || ranks[i] >= size) && !(mayBeNone && ranks[i] == MPI.PROC_NULL)) {
                throw comm.bad(
                        ErrorClass.ARG,
                        operation,
                        name + "[" + i + "] is " + ranks[i] + "; allowed: 0 to " + (size - 1)
                                + (mayBeNone ? ", or MPI.PROC_NULL" : ""));
            }
        }
    }

    /** Checks that there are as many weights as edges, and that none is negative. */
    static void weights(CommState comm, String operation, String name, int[] weights, int edges) {
        if (weights == null || weights.length != edges) {
            throw comm.bad(
                    ErrorClass.ARG, operation, lengthOf(name, weights == null ? -1 : weights.length, edges, "edges"));
        }
        notNegative(comm, operation, name, weights);
    }

    /**
     * Checks that there is a number of edges for each source, none of them negative, and that there are as many
     * destinations as edges in all.
     */
    static void degrees(CommState comm, String operation, int[] sources, int[] degrees, int[] destinations) {
        if (degrees == null || degrees.length != sources.length) {
            throw comm.bad(
                    ErrorClass.ARG,
                    operation,
                    lengthOf("degrees", degrees == null ? -1 : degrees.length, sources.length, "sources"));
        }
        notNegative(comm, operation, "degrees", degrees);
        long edges = 0;
        for (int degree : degrees) {
            edges += degree;
        }
        if (destinations.length != edges) {
            throw comm.bad(
                    ErrorClass.ARG,
                    operation,
                    "destinations has " + destinations.length + " elements but the sum of degrees is " + edges
                            + "; allowed: as many elements");
        }
    }

    private static void notNegative(CommState comm, String operation, String name, int[] numbers) {
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] < 0) {
                throw comm.bad(
                        ErrorClass.ARG,
                        operation,
                        name + "[" + i + "] is " + numbers[i] + "; allowed: 0 to " + Integer.MAX_VALUE);
            }
        }
    }

    /**
     * The error for a caller that names itself more often among the sources than among the destinations, or less often.
     */
    static CallError oneSided(CommState comm, String operation, long there, long back) {
        return comm.bad(
                ErrorClass.ARG,
                operation,
                "the caller's rank " + comm.communicator().rank() + " is in sources " + back + " times and in"
                        + " destinations " + there + " times; allowed: as many times");
    }

    /** @param length of the program's array; -1 if the array is null */
    private static String lengthOf(String name, int length, int wanted, String of) {
        return name + " " + (length < 0 ? "is null" : "has " + length + " elements") + "; allowed: one for each of the "
                + wanted + " " + of;
    }
}
