package mpi;

import java.nio.Buffer;
import org.ulfmj.runtime.CollectiveCall;
import org.ulfmj.runtime.error.CallError;

/**
 * The non-blocking collectives of {@link Comm} that move data, from the program's arguments to the request. Each method
 * checks the arguments as {@link CollectiveCalls} does for the blocking form, and raises a bad one at once; a failure
 * is raised only when the request is completed.
 */
final class StartedCalls {
    private StartedCalls() {}

    static Request barrier(Comm comm) {
        CommState state = comm.enterCollective("iBarrier");
        try {
            return new Request(comm, state, state.communicator().started().barrier("iBarrier"));
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request bcast(Comm comm, Buffer buf, int count, Datatype type, int root) {
        CommState state = comm.enterCollective("iBcast");
        try {
            boolean isRoot = Arguments.isRoot(state, "iBcast", root);
            Argument data = isRoot
                    ? DirectArgument.outgoing(state, "iBcast", "buf", buf, "count", count, type)
                    : DirectArgument.incoming(state, "iBcast", "buf", buf, "count", count, type);
            Side side = new Side().set(state, "iBcast", data);
            return new Request(comm, state, state.communicator().started().broadcast("iBcast", side, root));
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request gather(
            Comm comm,
            Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            Buffer recvbuf,
            int recvcount,
            Datatype recvtype,
            int root) {
        CommState state = comm.enterCollective("iGather");
        try {
            boolean isRoot = Arguments.isRoot(state, "iGather", root);
            Argument send =
                    DirectArgument.outgoing(state, "iGather", "sendbuf", sendbuf, "sendcount", sendcount, sendtype);
            Argument receive = !isRoot
                    ? null
                    : DirectArgument.incomingEach(
                            state, "iGather", "recvbuf", recvbuf, "recvcount", recvcount, recvtype);
            return gather(comm, state, "iGather", send, receive, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request gather(Comm comm, Buffer buf, int count, Datatype type, int root) {
        CommState state = comm.enterCollective("iGather");
        try {
            if (Arguments.isRoot(state, "iGather", root)) {
                Argument receive = DirectArgument.incomingEach(state, "iGather", "buf", buf, "count", count, type);
                return gather(comm, state, "iGather", null, receive, root);
            }
            Argument send = DirectArgument.outgoing(state, "iGather", "buf", buf, "count", count, type);
            return gather(comm, state, "iGather", send, null, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request gatherv(
            Comm comm,
            Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            Buffer recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype,
            int root) {
        CommState state = comm.enterCollective("iGatherv");
        try {
            boolean isRoot = Arguments.isRoot(state, "iGatherv", root);
            Argument send =
                    DirectArgument.outgoing(state, "iGatherv", "sendbuf", sendbuf, "sendcount", sendcount, sendtype);
            Argument receive = !isRoot
                    ? null
                    : DirectArgument.incomingParts(
                            state, "iGatherv", "recvbuf", recvbuf, "recvcount", recvcount, "displs", displs, recvtype);
            return gather(comm, state, "iGatherv", send, receive, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request gatherv(Comm comm, Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root) {
        CommState state = comm.enterCollective("iGatherv");
        try {
            Arguments.requireRoot(state, "iGatherv", root, true);
            Argument receive = DirectArgument.incomingParts(
                    state, "iGatherv", "recvbuf", recvbuf, "recvcount", recvcount, "displs", displs, recvtype);
            return gather(comm, state, "iGatherv", null, receive, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request gatherv(Comm comm, Buffer sendbuf, int sendcount, Datatype sendtype, int root) {
        CommState state = comm.enterCollective("iGatherv");
        try {
            Arguments.requireRoot(state, "iGatherv", root, false);
            Argument send =
                    DirectArgument.outgoing(state, "iGatherv", "sendbuf", sendbuf, "sendcount", sendcount, sendtype);
            return gather(comm, state, "iGatherv", send, null, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    private static Request gather(
            Comm comm, CommState state, String operation, Argument send, Argument receive, int root) {
        if (send != null && receive != null) {
            Collectives.requireSameLength(state, operation, send, 0, receive, root);
        }
        CollectiveCall call = state.communicator()
                .started()
                .gather(operation, side(state, operation, send), side(state, operation, receive), root);
        return new Request(comm, state, call);
    }

    static Request scatter(
            Comm comm,
            Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            Buffer recvbuf,
            int recvcount,
            Datatype recvtype,
            int root) {
        CommState state = comm.enterCollective("iScatter");
        try {
            boolean isRoot = Arguments.isRoot(state, "iScatter", root);
            Argument send = !isRoot
                    ? null
                    : DirectArgument.outgoingEach(
                            state, "iScatter", "sendbuf", sendbuf, "sendcount", sendcount, sendtype);
            Argument receive =
                    DirectArgument.incoming(state, "iScatter", "recvbuf", recvbuf, "recvcount", recvcount, recvtype);
            return scatter(comm, state, "iScatter", send, receive, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request scatter(Comm comm, Buffer buf, int count, Datatype type, int root) {
        CommState state = comm.enterCollective("iScatter");
        try {
            if (Arguments.isRoot(state, "iScatter", root)) {
                Argument send = DirectArgument.outgoingEach(state, "iScatter", "buf", buf, "count", count, type);
                return scatter(comm, state, "iScatter", send, null, root);
            }
            Argument receive = DirectArgument.incoming(state, "iScatter", "buf", buf, "count", count, type);
            return scatter(comm, state, "iScatter", null, receive, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request scatterv(
            Comm comm,
            Buffer sendbuf,
            int[] sendcount,
            int[] displs,
            Datatype sendtype,
            Buffer recvbuf,
            int recvcount,
            Datatype recvtype,
            int root) {
        CommState state = comm.enterCollective("iScatterv");
        try {
            boolean isRoot = Arguments.isRoot(state, "iScatterv", root);
            Argument send = !isRoot
                    ? null
                    : DirectArgument.outgoingParts(
                            state, "iScatterv", "sendbuf", sendbuf, "sendcount", sendcount, "displs", displs, sendtype);
            Argument receive =
                    DirectArgument.incoming(state, "iScatterv", "recvbuf", recvbuf, "recvcount", recvcount, recvtype);
            return scatter(comm, state, "iScatterv", send, receive, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request scatterv(Comm comm, Buffer sendbuf, int[] sendcount, int[] displs, Datatype sendtype, int root) {
        CommState state = comm.enterCollective("iScatterv");
        try {
            Arguments.requireRoot(state, "iScatterv", root, true);
            Argument send = DirectArgument.outgoingParts(
                    state, "iScatterv", "sendbuf", sendbuf, "sendcount", sendcount, "displs", displs, sendtype);
            return scatter(comm, state, "iScatterv", send, null, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request scatterv(Comm comm, Buffer recvbuf, int recvcount, Datatype recvtype, int root) {
        CommState state = comm.enterCollective("iScatterv");
        try {
            Arguments.requireRoot(state, "iScatterv", root, false);
            Argument receive =
                    DirectArgument.incoming(state, "iScatterv", "recvbuf", recvbuf, "recvcount", recvcount, recvtype);
            return scatter(comm, state, "iScatterv", null, receive, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    private static Request scatter(
            Comm comm, CommState state, String operation, Argument send, Argument receive, int root) {
        if (send != null && receive != null) {
            Collectives.requireSameLength(state, operation, send, root, receive, 0);
        }
        CollectiveCall call = state.communicator()
                .started()
                .scatter(operation, side(state, operation, send), side(state, operation, receive), root);
        return new Request(comm, state, call);
    }

    static Request allGather(
            Comm comm,
            Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            Buffer recvbuf,
            int recvcount,
            Datatype recvtype) {
        CommState state = comm.enterCollective("iAllGather");
        try {
            Argument send =
                    DirectArgument.outgoing(state, "iAllGather", "sendbuf", sendbuf, "sendcount", sendcount, sendtype);
            Argument receive = DirectArgument.incomingEach(
                    state, "iAllGather", "recvbuf", recvbuf, "recvcount", recvcount, recvtype);
            return allGather(comm, state, "iAllGather", send, receive);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request allGather(Comm comm, Buffer buf, int count, Datatype type) {
        CommState state = comm.enterCollective("iAllGather");
        try {
            Argument receive = DirectArgument.incomingEach(state, "iAllGather", "buf", buf, "count", count, type);
            return allGather(comm, state, "iAllGather", null, receive);
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
        CommState state = comm.enterCollective("iAllGatherv");
        try {
            Argument send =
                    DirectArgument.outgoing(state, "iAllGatherv", "sendbuf", sendbuf, "sendcount", sendcount, sendtype);
            Argument receive = DirectArgument.incomingParts(
                    state, "iAllGatherv", "recvbuf", recvbuf, "recvcount", recvcount, "displs", displs, recvtype);
            return allGather(comm, state, "iAllGatherv", send, receive);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request allGatherv(Comm comm, Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype) {
        CommState state = comm.enterCollective("iAllGatherv");
        try {
            Argument receive = DirectArgument.incomingParts(
                    state, "iAllGatherv", "recvbuf", recvbuf, "recvcount", recvcount, "displs", displs, recvtype);
            return allGather(comm, state, "iAllGatherv", null, receive);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    private static Request allGather(Comm comm, CommState state, String operation, Argument send, Argument receive) {
        if (send != null) {
            Collectives.requireSameLength(
                    state, operation, send, 0, receive, state.communicator().rank());
        }
        CollectiveCall call = state.communicator()
                .started()
                .allGather(operation, side(state, operation, send), side(state, operation, receive));
        return new Request(comm, state, call);
    }

    static Request allToAll(
            Comm comm,
            Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            Buffer recvbuf,
            int recvcount,
            Datatype recvtype) {
        CommState state = comm.enterCollective("iAllToAll");
        try {
            Argument send = DirectArgument.outgoingEach(
                    state, "iAllToAll", "sendbuf", sendbuf, "sendcount", sendcount, sendtype);
            Argument receive = DirectArgument.incomingEach(
                    state, "iAllToAll", "recvbuf", recvbuf, "recvcount", recvcount, recvtype);
            return allToAll(comm, state, "iAllToAll", send, receive);
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
        CommState state = comm.enterCollective("iAllToAllv");
        try {
            Argument send = DirectArgument.outgoingParts(
                    state, "iAllToAllv", "sendbuf", sendbuf, "sendcount", sendcount, "sdispls", sdispls, sendtype);
            Argument receive = DirectArgument.incomingParts(
                    state, "iAllToAllv", "recvbuf", recvbuf, "recvcount", recvcount, "rdispls", rdispls, recvtype);
            return allToAll(comm, state, "iAllToAllv", send, receive);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request allToAllw(
            Comm comm,
            Buffer sendbuf,
            int[] sendcount,
            int[] sdispls,
            Datatype[] sendtypes,
            Buffer recvbuf,
            int[] recvcount,
            int[] rdispls,
            Datatype[] recvtypes) {
        CommState state = comm.enterCollective("iAllToAllw");
        try {
            MixedParts send = DirectArgument.outgoingMixed(
                    state,
                    "iAllToAllw",
                    "sendbuf",
                    sendbuf,
                    "sendcount",
                    sendcount,
                    "sdispls",
                    sdispls,
                    "sendtypes",
                    sendtypes);
            MixedParts receive = DirectArgument.incomingMixed(
                    state,
                    "iAllToAllw",
                    "recvbuf",
                    recvbuf,
                    "recvcount",
                    recvcount,
                    "rdispls",
                    rdispls,
                    "recvtypes",
                    recvtypes);
            int rank = state.communicator().rank();
            Arguments.sameLength(state, "iAllToAllw", send.part(rank), receive.part(rank));
            StagingPool pool = state.rank().staging();
            CollectiveCall call = state.communicator()
                    .started()
                    .allToAll("iAllToAllw", new MixedSide(pool, send), new MixedSide(pool, receive));
            return new Request(comm, state, call);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    private static Request allToAll(Comm comm, CommState state, String operation, Argument send, Argument receive) {
        int rank = state.communicator().rank();
        Collectives.requireSameLength(state, operation, send, rank, receive, rank);
        CollectiveCall call = state.communicator()
                .started()
                .allToAll(operation, side(state, operation, send), side(state, operation, receive));
        return new Request(comm, state, call);
    }

    private static Side side(CommState state, String operation, Argument argument) {
        return argument == null ? null : new Side().set(state, operation, argument);
    }
}
