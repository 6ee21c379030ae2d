package mpi;

import org.ulfmj.runtime.error.CallError;

/**
 * The blocking collectives of {@link Comm} and {@link Intracomm} that combine data, from the program's arguments to
 * {@link Reductions}; see {@link CollectiveCalls}.
 */
final class ReductionCalls {
    private ReductionCalls() {}

    static void reduce(Comm comm, Object sendbuf, Object recvbuf, int count, Datatype type, Op op, int root) {
        CommState state = comm.enter("reduce");
        try {
            boolean isRoot = Arguments.isRoot(state, "reduce", root);
            Arguments.outgoing(state, "reduce", "sendbuf", sendbuf, "count", count, type);
            Arguments.operator(state, "reduce", op, type);
            if (isRoot) {
                Arguments.incoming(state, "reduce", "recvbuf", recvbuf, "count", count, type);
            }
            Reductions.reduce(state, sendbuf, recvbuf, count, type, op, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void reduce(Comm comm, Object buf, int count, Datatype type, Op op, int root) {
        CommState state = comm.enter("reduce");
        try {
            boolean isRoot = Arguments.isRoot(state, "reduce", root);
            Arguments.outgoing(state, "reduce", "buf", buf, "count", count, type);
            Arguments.writable(state, "reduce", "buf", buf, isRoot ? count : 0);
            Arguments.operator(state, "reduce", op, type);
            Object send = isRoot ? Reductions.IN_PLACE : buf;
            Reductions.reduce(state, send, buf, count, type, op, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void allReduce(Comm comm, Object sendbuf, Object recvbuf, int count, Datatype type, Op op) {
        CommState state = comm.enter("allReduce");
        try {
            Arguments.outgoing(state, "allReduce", "sendbuf", sendbuf, "count", count, type);
            Arguments.incoming(state, "allReduce", "recvbuf", recvbuf, "count", count, type);
            Arguments.operator(state, "allReduce", op, type);
            Reductions.allReduce(state, sendbuf, recvbuf, count, type, op);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void allReduce(Comm comm, Object buf, int count, Datatype type, Op op) {
        CommState state = comm.enter("allReduce");
        try {
            Arguments.incoming(state, "allReduce", "buf", buf, "count", count, type);
            Arguments.operator(state, "allReduce", op, type);
            Reductions.allReduce(state, Reductions.IN_PLACE, buf, count, type, op);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void reduceScatter(Comm comm, Object sendbuf, Object recvbuf, int[] recvcounts, Datatype type, Op op) {
        CommState state = comm.enter("reduceScatter");
        try {
            Argument send =
                    Argument.outgoingPacked(state, "reduceScatter", "sendbuf", sendbuf, "recvcounts", recvcounts, type);
            Arguments.operator(state, "reduceScatter", op, type);
            int own = recvcounts[state.communicator().rank()];
            Arguments.incoming(state, "reduceScatter", "recvbuf", recvbuf, "the own element of recvcounts", own, type);
            Reductions.reduceScatter(state, "reduceScatter", send, recvbuf, op);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void reduceScatter(Comm comm, Object buf, int[] recvcounts, Datatype type, Op op) {
        CommState state = comm.enter("reduceScatter");
        try {
            Argument send = Argument.outgoingPacked(state, "reduceScatter", "buf", buf, "recvcounts", recvcounts, type);
            Arguments.operator(state, "reduceScatter", op, type);
            int own = recvcounts[state.communicator().rank()];
            Arguments.incoming(state, "reduceScatter", "buf", buf, "the own element of recvcounts", own, type);
            Reductions.reduceScatter(state, "reduceScatter", send, buf, op);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void reduceScatterBlock(Comm comm, Object sendbuf, Object recvbuf, int recvcount, Datatype type, Op op) {
        CommState state = comm.enter("reduceScatterBlock");
        try {
            Argument send = Argument.outgoingEach(
                    state, "reduceScatterBlock", "sendbuf", sendbuf, "recvcount", recvcount, type);
            Arguments.operator(state, "reduceScatterBlock", op, type);
            int own = recvcount;
            Arguments.incoming(state, "reduceScatterBlock", "recvbuf", recvbuf, "recvcount", own, type);
            Reductions.reduceScatter(state, "reduceScatterBlock", send, recvbuf, op);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void reduceScatterBlock(Comm comm, Object buf, int recvcount, Datatype type, Op op) {
        CommState state = comm.enter("reduceScatterBlock");
        try {
            Argument send =
                    Argument.outgoingEach(state, "reduceScatterBlock", "buf", buf, "recvcount", recvcount, type);
            Arguments.operator(state, "reduceScatterBlock", op, type);
            int own = recvcount;
            Arguments.incoming(state, "reduceScatterBlock", "buf", buf, "recvcount", own, type);
            Reductions.reduceScatter(state, "reduceScatterBlock", send, buf, op);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void reduceLocal(Object inbuf, Object inoutbuf, int count, Datatype type, Op op) {
        CommState self = MPI.COMM_SELF.enter("reduceLocal");
        try {
            Arguments.outgoing(self, "reduceLocal", "inbuf", inbuf, "count", count, type);
            Arguments.incoming(self, "reduceLocal", "inoutbuf", inoutbuf, "count", count, type);
            Arguments.operator(self, "reduceLocal", op, type);
            Reductions.reduceLocal(self, inbuf, inoutbuf, count, type, op);
        } catch (CallError fault) {
            throw MPI.COMM_SELF.raise(self, fault);
        }
    }

    static void scan(Comm comm, Object sendbuf, Object recvbuf, int count, Datatype type, Op op) {
        CommState state = comm.enter("scan");
        try {
            Arguments.outgoing(state, "scan", "sendbuf", sendbuf, "count", count, type);
            Arguments.incoming(state, "scan", "recvbuf", recvbuf, "count", count, type);
            Arguments.operator(state, "scan", op, type);
            Reductions.scan(state, sendbuf, recvbuf, count, type, op);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void scan(Comm comm, Object buf, int count, Datatype type, Op op) {
        CommState state = comm.enter("scan");
        try {
            Arguments.incoming(state, "scan", "buf", buf, "count", count, type);
            Arguments.operator(state, "scan", op, type);
            Reductions.scan(state, Reductions.IN_PLACE, buf, count, type, op);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void exScan(Comm comm, Object sendbuf, Object recvbuf, int count, Datatype type, Op op) {
        CommState state = comm.enter("exScan");
        try {
            Arguments.outgoing(state, "exScan", "sendbuf", sendbuf, "count", count, type);
            Arguments.incoming(state, "exScan", "recvbuf", recvbuf, "count", count, type);
            Arguments.operator(state, "exScan", op, type);
            Reductions.exclusiveScan(state, sendbuf, recvbuf, count, type, op);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void exScan(Comm comm, Object buf, int count, Datatype type, Op op) {
        CommState state = comm.enter("exScan");
        try {
            Arguments.incoming(state, "exScan", "buf", buf, "count", count, type);
            Arguments.operator(state, "exScan", op, type);
            Reductions.exclusiveScan(state, Reductions.IN_PLACE, buf, count, type, op);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }
}
