package mpi;

import org.ulfmj.runtime.error.CallError;

/**
 * The blocking collectives of {@link Comm} that move data, from the program's arguments to {@link Collectives}. Each
 * method checks the arguments that its rank uses, in the order of the parameters, and turns a fault into what the error
 * handler wants.
 */
final class CollectiveCalls {
    private CollectiveCalls() {}

    static void barrier(Comm comm) {
        CommState state = comm.enterCollective("barrier");
        try {
            state.communicator().barrier();
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void bcast(Comm comm, Object buf, int count, Datatype type, int root) {
        CommState state = comm.enterCollective("bcast");
        try {
            boolean isRoot = Arguments.isRoot(state, "bcast", root);
            Argument data = isRoot
                    ? Argument.outgoing(state, "bcast", "buf", buf, "count", count, type)
                    : Argument.incoming(state, "bcast", "buf", buf, "count", count, type);
            Collectives.broadcast(state, data, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void gather(
            Comm comm,
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvcount,
            Datatype recvtype,
            int root) {
        CommState state = comm.enterCollective("gather");
        try {
            boolean isRoot = Arguments.isRoot(state, "gather", root);
            Argument send = Argument.outgoing(state, "gather", "sendbuf", sendbuf, "sendcount", sendcount, sendtype);
            Argument receive = !isRoot
                    ? null
                    : Argument.incomingEach(state, "gather", "recvbuf", recvbuf, "recvcount", recvcount, recvtype);
            Collectives.gather(state, "gather", send, receive, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void gather(Comm comm, Object buf, int count, Datatype type, int root) {
        CommState state = comm.enterCollective("gather");
        try {
            if (Arguments.isRoot(state, "gather", root)) {
                Argument receive = Argument.incomingEach(state, "gather", "buf", buf, "count", count, type);
                Collectives.gather(state, "gather", null, receive, root);
            } else {
                Argument send = Argument.outgoing(state, "gather", "buf", buf, "count", count, type);
                Collectives.gather(state, "gather", send, null, root);
            }
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void gatherv(
            Comm comm,
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype,
            int root) {
        CommState state = comm.enterCollective("gatherv");
        try {
            boolean isRoot = Arguments.isRoot(state, "gatherv", root);
            Argument send = Argument.outgoing(state, "gatherv", "sendbuf", sendbuf, "sendcount", sendcount, sendtype);
            Argument receive = !isRoot
                    ? null
                    : Argument.incomingParts(
                            state, "gatherv", "recvbuf", recvbuf, "recvcount", recvcount, "displs", displs, recvtype);
            Collectives.gather(state, "gatherv", send, receive, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void gatherv(Comm comm, Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root) {
        CommState state = comm.enterCollective("gatherv");
        try {
            Arguments.requireRoot(state, "gatherv", root, true);
            Argument receive = Argument.incomingParts(
                    state, "gatherv", "recvbuf", recvbuf, "recvcount", recvcount, "displs", displs, recvtype);
            Collectives.gather(state, "gatherv", null, receive, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void gatherv(Comm comm, Object sendbuf, int sendcount, Datatype sendtype, int root) {
        CommState state = comm.enterCollective("gatherv");
        try {
            Arguments.requireRoot(state, "gatherv", root, false);
            Argument send = Argument.outgoing(state, "gatherv", "sendbuf", sendbuf, "sendcount", sendcount, sendtype);
            Collectives.gather(state, "gatherv", send, null, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void scatter(
            Comm comm,
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvcount,
            Datatype recvtype,
            int root) {
        CommState state = comm.enterCollective("scatter");
        try {
            boolean isRoot = Arguments.isRoot(state, "scatter", root);
            Argument send = !isRoot
                    ? null
                    : Argument.outgoingEach(state, "scatter", "sendbuf", sendbuf, "sendcount", sendcount, sendtype);
            Argument receive =
                    Argument.incoming(state, "scatter", "recvbuf", recvbuf, "recvcount", recvcount, recvtype);
            Collectives.scatter(state, "scatter", send, receive, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void scatter(Comm comm, Object buf, int count, Datatype type, int root) {
        CommState state = comm.enterCollective("scatter");
        try {
            if (Arguments.isRoot(state, "scatter", root)) {
                Argument send = Argument.outgoingEach(state, "scatter", "buf", buf, "count", count, type);
                Collectives.scatter(state, "scatter", send, null, root);
            } else {
                Argument receive = Argument.incoming(state, "scatter", "buf", buf, "count", count, type);
                Collectives.scatter(state, "scatter", null, receive, root);
            }
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void scatterv(
            Comm comm,
            Object sendbuf,
            int[] sendcount,
            int[] displs,
            Datatype sendtype,
            Object recvbuf,
            int recvcount,
            Datatype recvtype,
            int root) {
        CommState state = comm.enterCollective("scatterv");
        try {
            boolean isRoot = Arguments.isRoot(state, "scatterv", root);
            Argument send = !isRoot
                    ? null
                    : Argument.outgoingParts(
                            state, "scatterv", "sendbuf", sendbuf, "sendcount", sendcount, "displs", displs, sendtype);
            Argument receive =
                    Argument.incoming(state, "scatterv", "recvbuf", recvbuf, "recvcount", recvcount, recvtype);
            Collectives.scatter(state, "scatterv", send, receive, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void scatterv(Comm comm, Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype, int root) {
        CommState state = comm.enterCollective("scatterv");
        try {
            Arguments.requireRoot(state, "scatterv", root, true);
            Argument send = Argument.outgoingParts(
                    state, "scatterv", "sendbuf", sendbuf, "sendcount", sendcount, "displs", displs, sendtype);
            Collectives.scatter(state, "scatterv", send, null, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void scatterv(Comm comm, Object recvbuf, int recvcount, Datatype recvtype, int root) {
        CommState state = comm.enterCollective("scatterv");
        try {
            Arguments.requireRoot(state, "scatterv", root, false);
            Argument receive =
                    Argument.incoming(state, "scatterv", "recvbuf", recvbuf, "recvcount", recvcount, recvtype);
            Collectives.scatter(state, "scatterv", null, receive, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void allGather(
            Comm comm,
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvcount,
            Datatype recvtype) {
        CommState state = comm.enterCollective("allGather");
        try {
            Argument send = Argument.outgoing(state, "allGather", "sendbuf", sendbuf, "sendcount", sendcount, sendtype);
            Argument receive =
                    Argument.incomingEach(state, "allGather", "recvbuf", recvbuf, "recvcount", recvcount, recvtype);
            Collectives.allGather(state, "allGather", send, receive);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void allGather(Comm comm, Object buf, int count, Datatype type) {
        CommState state = comm.enterCollective("allGather");
        try {
            Argument receive = Argument.incomingEach(state, "allGather", "buf", buf, "count", count, type);
            Collectives.allGather(state, "allGather", null, receive);
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
        CommState state = comm.enterCollective("allGatherv");
        try {
            Argument send =
                    Argument.outgoing(state, "allGatherv", "sendbuf", sendbuf, "sendcount", sendcount, sendtype);
            Argument receive = Argument.incomingParts(
                    state, "allGatherv", "recvbuf", recvbuf, "recvcount", recvcount, "displs", displs, recvtype);
            Collectives.allGather(state, "allGatherv", send, receive);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void allGatherv(Comm comm, Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype) {
        CommState state = comm.enterCollective("allGatherv");
        try {
            Argument receive = Argument.incomingParts(
                    state, "allGatherv", "recvbuf", recvbuf, "recvcount", recvcount, "displs", displs, recvtype);
            Collectives.allGather(state, "allGatherv", null, receive);
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
        CommState state = comm.enterCollective("allToAll");
        try {
            Argument send =
                    Argument.outgoingEach(state, "allToAll", "sendbuf", sendbuf, "sendcount", sendcount, sendtype);
            Argument receive =
                    Argument.incomingEach(state, "allToAll", "recvbuf", recvbuf, "recvcount", recvcount, recvtype);
            Collectives.allToAll(state, "allToAll", send, receive);
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
        CommState state = comm.enterCollective("allToAllv");
        try {
            Argument send = Argument.outgoingParts(
                    state, "allToAllv", "sendbuf", sendbuf, "sendcount", sendcount, "sdispls", sdispls, sendtype);
            Argument receive = Argument.incomingParts(
                    state, "allToAllv", "recvbuf", recvbuf, "recvcount", recvcount, "rdispls", rdispls, recvtype);
            Collectives.allToAll(state, "allToAllv", send, receive);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void allToAllw(
            Comm comm,
            Object sendbuf,
            int[] sendcount,
            int[] sdispls,
            Datatype[] sendtypes,
            Object recvbuf,
            int[] recvcount,
            int[] rdispls,
            Datatype[] recvtypes) {
        CommState state = comm.enterCollective("allToAllw");
        try {
            MixedParts send = MixedParts.outgoing(
                    state,
                    "allToAllw",
                    "sendbuf",
                    sendbuf,
                    "sendcount",
                    sendcount,
                    "sdispls",
                    sdispls,
                    "sendtypes",
                    sendtypes);
            MixedParts receive = MixedParts.incoming(
                    state,
                    "allToAllw",
                    "recvbuf",
                    recvbuf,
                    "recvcount",
                    recvcount,
                    "rdispls",
                    rdispls,
                    "recvtypes",
                    recvtypes);
            int rank = state.communicator().rank();
            Arguments.sameLength(state, "allToAllw", send.part(rank), receive.part(rank));
            MixedSide sent = new MixedSide(state.rank().staging(), send);
            MixedSide received = new MixedSide(state.rank().staging(), receive);
            state.communicator().allToAll(sent, received);
            sent.release();
            received.release();
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }
}
