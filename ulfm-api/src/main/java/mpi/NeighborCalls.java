package mpi;

import org.ulfmj.runtime.error.CallError;

/** The blocking neighbour collectives of {@link Comm}. */
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
        CommState state = comm.enter("neighborAllGather");
        try {
            NeighborExchange.allGather(
                            state, "neighborAllGather", sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype)
                    .run();
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
        CommState state = comm.enter("neighborAllGatherv");
        try {
            NeighborExchange.allGatherv(
                            state,
                            "neighborAllGatherv",
                            sendbuf,
                            sendcount,
                            sendtype,
                            recvbuf,
                            recvcount,
                            displs,
                            recvtype)
                    .run();
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
        CommState state = comm.enter("neighborAllToAll");
        try {
            NeighborExchange.allToAll(
                            state, "neighborAllToAll", sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype)
                    .run();
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
        CommState state = comm.enter("neighborAllToAllv");
        try {
            NeighborExchange.allToAllv(
                            state,
                            "neighborAllToAllv",
                            sendbuf,
                            sendcount,
                            sdispls,
                            sendtype,
                            recvbuf,
                            recvcount,
                            rdispls,
                            recvtype)
                    .run();
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }
}
