package mpi;

import org.ulfmj.runtime.collective.Neighborhood;

/** The virtual topology of a communicator, seen from one rank of it: which ranks are its neighbours. Immutable. */
sealed interface Topology permits CartTopology, GraphTopology, DistGraphTopology {
    /** {@link MPI#CART}, {@link MPI#GRAPH} or {@link MPI#DIST_GRAPH}. */
    int kind();

    /** The neighbours of this rank in the order of its buffers. */
    Neighborhood neighbors();

    /** Why neighbour collectives have no meaning in this topology; null if they have. */
    default String problem() {
        return null;
    }

    /** Makes the program's object for a communicator with this topology. */
    Intracomm communicator(CommState made);
}
