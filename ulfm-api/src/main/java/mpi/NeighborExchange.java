package mpi;

import org.ulfmj.runtime.Communicator;
import org.ulfmj.runtime.collective.Neighborhood;
import org.ulfmj.runtime.error.ErrorClass;

/**
 * One neighbour collective at one rank, whose arguments were checked: the topology first, then the arguments in the
 * order of the parameters.
 *
 * @param sides the two buffer arguments of the call, of which {@code send} and {@code receive} are a part
 * @param send has one part, which goes to each destination, or a part for each destination
 */
record NeighborExchange(
        CommState state, String operation, Neighborhood neighbors, Sides sides, Side send, Side receive) {
    static NeighborExchange allGather(
            CommState state,
            String operation,
            Sides sides,
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvcount,
            Datatype recvtype) {
        Neighborhood neighbors = neighbors(state, operation);
        Side send = CollectiveArguments.outgoing(
                sides.send(state, operation), "sendbuf", sendbuf, "sendcount", sendcount, sendtype);
        Side receive = NeighborArguments.ofSources(state, operation, neighbors)
                .incomingEach(sides.receive(state, operation), "recvbuf", recvbuf, "recvcount", recvcount, recvtype);
        return checked(state, operation, neighbors, sides, send, receive);
    }

    static NeighborExchange allGatherv(
            CommState state,
            String operation,
            Sides sides,
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype) {
        Neighborhood neighbors = neighbors(state, operation);
        Side send = CollectiveArguments.outgoing(
                sides.send(state, operation), "sendbuf", sendbuf, "sendcount", sendcount, sendtype);
        Side receive = NeighborArguments.ofSources(state, operation, neighbors)
                .incomingParts(
                        sides.receive(state, operation),
                        "recvbuf",
                        recvbuf,
                        "recvcount",
                        recvcount,
                        "displs",
                        displs,
                        recvtype);
        return checked(state, operation, neighbors, sides, send, receive);
    }

    static NeighborExchange allToAll(
            CommState state,
            String operation,
            Sides sides,
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvcount,
            Datatype recvtype) {
        Neighborhood neighbors = neighbors(state, operation);
        Side send = NeighborArguments.ofDestinations(state, operation, neighbors)
                .outgoingEach(sides.send(state, operation), "sendbuf", sendbuf, "sendcount", sendcount, sendtype);
        Side receive = NeighborArguments.ofSources(state, operation, neighbors)
                .incomingEach(sides.receive(state, operation), "recvbuf", recvbuf, "recvcount", recvcount, recvtype);
        return checked(state, operation, neighbors, sides, send, receive);
    }

    static NeighborExchange allToAllv(
            CommState state,
            String operation,
            Sides sides,
            Object sendbuf,
            int[] sendcount,
            int[] sdispls,
            Datatype sendtype,
            Object recvbuf,
            int[] recvcount,
            int[] rdispls,
            Datatype recvtype) {
        Neighborhood neighbors = neighbors(state, operation);
        Side send = NeighborArguments.ofDestinations(state, operation, neighbors)
                .outgoingParts(
                        sides.send(state, operation),
                        "sendbuf",
                        sendbuf,
                        "sendcount",
                        sendcount,
                        "sdispls",
                        sdispls,
                        sendtype);
        Side receive = NeighborArguments.ofSources(state, operation, neighbors)
                .incomingParts(
                        sides.receive(state, operation),
                        "recvbuf",
                        recvbuf,
                        "recvcount",
                        recvcount,
                        "rdispls",
                        rdispls,
                        recvtype);
        return checked(state, operation, neighbors, sides, send, receive);
    }

    private static NeighborExchange checked(
            CommState state, String operation, Neighborhood neighbors, Sides sides, Side send, Side receive) {
        requireSameLengths(neighbors, send, receive);
        return new NeighborExchange(state, operation, neighbors, sides, send, receive);
    }

    /**
     * Does the exchange with the neighbours: waits for it and returns null in the blocking form, returns the request in
     * the started form.
     */
    Request perform(CallForm form, Comm comm) {
        Communicator communicator = state.communicator();
        if (form == CallForm.STARTED) {
            return new Request(comm, state, communicator.started().neighbors(operation, neighbors, send, receive));
        }
        communicator.collectives().neighbors(operation, neighbors, send, receive);
        sides.release();
        return null;
    }

    /**
     * The neighbours of this rank. Throws if the communicator has no topology, or one in which neighbour collectives
     * have no meaning.
     */
    static Neighborhood neighbors(CommState state, String operation) {
        Topology topology = state.topology();
        if (topology == null) {
            throw state.bad(
                    ErrorClass.TOPOLOGY,
                    operation,
                    "the communicator has no topology; allowed: one made by createCart, createGraph,"
                            + " createDistGraph or createDistGraphAdjacent");
        }
        if (topology.problem() != null) {
            throw state.bad(ErrorClass.TOPOLOGY, operation, topology.problem());
        }
        return topology.neighbors();
    }

    /** Checks that each part that this rank sends to itself is as long as the part in which it receives it. */
    private static void requireSameLengths(Neighborhood neighbors, Side send, Side receive) {
        int rank = send.communicator().rank();
        int[] own = neighbors.partsToItself(rank);
        boolean isSame = send.parts() == 1;
        for (int i = 0, next = 0; next < own.length; i++) {
            if (neighbors.source(i) == rank) {
                int part = isSame ? 0 : own[next];
                next++;
                send.requireSameLength(part, receive, i);
            }
        }
    }
}
