package mpi;

import java.nio.Buffer;
import org.ulfmj.runtime.collective.Neighborhood;
import org.ulfmj.runtime.error.CallError;

/**
 * The non-blocking neighbour collectives of {@link Comm}, from the program's arguments to the request. A bad argument
 * is raised at once, a buffer of a wrong kind as in {@link NonBlocking}; a failure is raised only when the request is
 * completed. Each operation has views of the buffers and arrays of its own: the program may move the position and limit
 * of its buffers, and use its arrays again, while the operation is under way.
 */
final class StartedNeighborCalls {
    private StartedNeighborCalls() {}

    static Request allGather(
            Comm comm,
            Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            Buffer recvbuf,
            int recvcount,
            Datatype recvtype) {
        String operation = "iNeighborAllGather";
        CommState state = comm.enter(operation);
        try {
            Neighborhood neighbors = NeighborExchange.neighbors(state, operation);
            Buffer send = read(state, operation, "sendbuf", sendbuf, "sendcount", sendcount, sendtype);
            int most = neighbors.sourceCount() == 0 ? 0 : recvcount;
            Buffer receive = written(state, operation, "recvbuf", recvbuf, "recvcount", most, recvtype);
            return NeighborExchange.allGather(state, operation, send, sendcount, sendtype, receive, recvcount, recvtype)
                    .start(comm);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request allGatherv(
            Comm comm,
            Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            Buffer recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype) {
        String operation = "iNeighborAllGatherv";
        CommState state = comm.enter(operation);
        try {
            Neighborhood neighbors = NeighborExchange.neighbors(state, operation);
            Buffer send = read(state, operation, "sendbuf", sendbuf, "sendcount", sendcount, sendtype);
            int most = most(recvcount, neighbors.sourceCount());
            Buffer receive = written(state, operation, "recvbuf", recvbuf, "the sum of recvcount", most, recvtype);
            return NeighborExchange.allGatherv(
                            state,
                            operation,
                            send,
                            sendcount,
                            sendtype,
                            receive,
                            copy(recvcount),
                            copy(displs),
                            recvtype)
                    .start(comm);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request allToAll(
            Comm comm,
            Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            Buffer recvbuf,
            int recvcount,
            Datatype recvtype) {
        String operation = "iNeighborAllToAll";
        CommState state = comm.enter(operation);
        try {
            Neighborhood neighbors = NeighborExchange.neighbors(state, operation);
            int mostSent = neighbors.destinationCount() == 0 ? 0 : sendcount;
            int most = neighbors.sourceCount() == 0 ? 0 : recvcount;
            Buffer send = read(state, operation, "sendbuf", sendbuf, "sendcount", mostSent, sendtype);
            Buffer receive = written(state, operation, "recvbuf", recvbuf, "recvcount", most, recvtype);
            return NeighborExchange.allToAll(state, operation, send, sendcount, sendtype, receive, recvcount, recvtype)
                    .start(comm);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request allToAllv(
            Comm comm,
            Buffer sendbuf,
            int[] sendcount,
            int[] sdispls,
            Datatype sendtype,
            Buffer recvbuf,
            int[] recvcount,
            int[] rdispls,
            Datatype recvtype) {
        String operation = "iNeighborAllToAllv";
        CommState state = comm.enter(operation);
        try {
            Neighborhood neighbors = NeighborExchange.neighbors(state, operation);
            int mostSent = most(sendcount, neighbors.destinationCount());
            int most = most(recvcount, neighbors.sourceCount());
            Buffer send = read(state, operation, "sendbuf", sendbuf, "the sum of sendcount", mostSent, sendtype);
            Buffer receive = written(state, operation, "recvbuf", recvbuf, "the sum of recvcount", most, recvtype);
            return NeighborExchange.allToAllv(
                            state,
                            operation,
                            send,
                            copy(sendcount),
                            copy(sdispls),
                            sendtype,
                            receive,
                            copy(recvcount),
                            copy(rdispls),
                            recvtype)
                    .start(comm);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    /** Checks the kind of a buffer that the call reads. Returns a view of the whole buffer. */
    private static Buffer read(
            CommState state, String operation, String name, Buffer buffer, String countName, int count, Datatype type) {
        NonBlocking.usable(state, operation, name, buffer, countName, count, type);
        return buffer == null ? null : buffer.duplicate().clear();
    }

    /** Checks the kind of a buffer that the call writes. Returns a view of the whole buffer. */
    private static Buffer written(
            CommState state, String operation, String name, Buffer buffer, String countName, int count, Datatype type) {
        Buffer view = read(state, operation, name, buffer, countName, count, type);
        NonBlocking.writable(operation, name, buffer, count);
        return view;
    }

    private static int[] copy(int[] values) {
        return values == null ? null : values.clone();
    }

    /** The largest of the counts; 0 if they are wrong, which is found out later. */
    private static int most(int[] counts, int neighbors) {
        int most = 0;
        for (int i = 0; counts != null && i < Math.min(counts.length, neighbors); i++) {
            most = Math.max(most, counts[i]);
        }
        return most;
    }
}
