package mpi;

import org.ulfmj.runtime.collective.Neighborhood;

/** The virtual topology of a communicator, seen from one rank of it: which ranks are its neighbours. Immutable. */
sealed interface Topology permits CartTopology, GraphTopology, DistGraphTopology {
    /** {@link MPI#CART}, {@link MPI#GRAPH} or {@link MPI#DIST_GRAPH}. */
    int kind();

    /** The neighbours of this rank in the order of its buffers. */
    Neighborhood neighbors();

    /** The reason why neighbour collectives are not allowed in this topology; null if they are allowed. */
    default String problem() {
        return null;
    }

    /** Makes the communicator object of the program for a communicator that has this topology. */
    Intracomm communicator(CommState made);
}
