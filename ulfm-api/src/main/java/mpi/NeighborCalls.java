package mpi;

import org.ulfmj.runtime.collective.Neighborhood;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;

/**
 * The blocking neighbour collectives of {@link Comm}, from the program's arguments to the runtime. Each method checks
 * the topology, then the arguments in the order of the parameters.
 */
final class NeighborCalls {
    private NeighborCalls() {}

    static void allGather(
            Comm comm,
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvcount,
            Datatype recvtype) {
        String operation = "neighborAllGather";
        CommState state = comm.enter(operation);
        try {
            Neighborhood neighbors = neighbors(state, operation);
            Argument send = Argument.outgoing(state, operation, "sendbuf", sendbuf, "sendcount", sendcount, sendtype);
            Argument receive = NeighborArguments.ofSources(state, operation, neighbors)
                    .incomingEach("recvbuf", recvbuf, "recvcount", recvcount, recvtype);
            exchange(state, operation, neighbors, send, receive);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void allGatherv(
            Comm comm,
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype) {
        String operation = "neighborAllGatherv";
        CommState state = comm.enter(operation);
        try {
            Neighborhood neighbors = neighbors(state, operation);
            Argument send = Argument.outgoing(state, operation, "sendbuf", sendbuf, "sendcount", sendcount, sendtype);
            Argument receive = NeighborArguments.ofSources(state, operation, neighbors)
                    .incomingParts("recvbuf", recvbuf, "recvcount", recvcount, "displs", displs, recvtype);
            exchange(state, operation, neighbors, send, receive);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void allToAll(
            Comm comm,
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvcount,
            Datatype recvtype) {
        String operation = "neighborAllToAll";
        CommState state = comm.enter(operation);
        try {
            Neighborhood neighbors = neighbors(state, operation);
            Argument send = NeighborArguments.ofDestinations(state, operation, neighbors)
                    .outgoingEach("sendbuf", sendbuf, "sendcount", sendcount, sendtype);
            Argument receive = NeighborArguments.ofSources(state, operation, neighbors)
                    .incomingEach("recvbuf", recvbuf, "recvcount", recvcount, recvtype);
            exchange(state, operation, neighbors, send, receive);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void allToAllv(
            Comm comm,
            Object sendbuf,
            int[] sendcount,
            int[] sdispls,
            Datatype sendtype,
            Object recvbuf,
            int[] recvcount,
            int[] rdispls,
            Datatype recvtype) {
        String operation = "neighborAllToAllv";
        CommState state = comm.enter(operation);
        try {
            Neighborhood neighbors = neighbors(state, operation);
            Argument send = NeighborArguments.ofDestinations(state, operation, neighbors)
                    .outgoingParts("sendbuf", sendbuf, "sendcount", sendcount, "sdispls", sdispls, sendtype);
            Argument receive = NeighborArguments.ofSources(state, operation, neighbors)
                    .incomingParts("recvbuf", recvbuf, "recvcount", recvcount, "rdispls", rdispls, recvtype);
            exchange(state, operation, neighbors, send, receive);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    private static void exchange(
            CommState state, String operation, Neighborhood neighbors, Argument send, Argument receive) {
        requireSameLengths(state, operation, neighbors, send, receive);
        Sides sides = Sides.take();
        state.communicator()
                .neighbors(
                        operation,
                        neighbors,
                        sides.send.set(state, operation, send),
                        sides.receive.set(state, operation, receive));
        sides.release();
    }

    /** The neighbours of this rank. Throws if neighbour collectives have no meaning on the communicator. */
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

    /** Checks that what this rank sends itself is as long as what it receives from itself. */
    static void requireSameLengths(
            CommState state, String operation, Neighborhood neighbors, Argument send, Argument receive) {
        int rank = state.communicator().rank();
        int[] own = neighbors.partsToItself(rank);
        boolean isSame = send.layout().size() == 1;
        for (int i = 0, next = 0; next < own.length; i++) {
            if (neighbors.source(i) == rank) {
                int part = isSame ? 0 : own[next];
                next++;
                Arguments.sameLength(
                        state,
                        operation,
                        new Arguments.Part(send.countName(), send.layout().count(part), send.type()),
                        new Arguments.Part(receive.countName(), receive.layout().count(i), receive.type()));
            }
        }
    }
}
