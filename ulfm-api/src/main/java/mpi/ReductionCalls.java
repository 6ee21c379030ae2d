package mpi;

import org.ulfmj.runtime.error.CallError;

/**
 * The blocking collectives of {@link Comm} and {@link Intracomm} that combine data, from the program's arguments to
 * {@link Reductions}; see {@link CollectiveCalls}. In the forms with one buffer, {@code buf}, the send buffer is
 * {@link Reductions#IN_PLACE}.
 */
final class ReductionCalls {
    private ReductionCalls() {}

    static void reduce(Comm comm, Object sendbuf, Object recvbuf, int count, Datatype type, Op op, int root) {
        CommState state = comm.enterCollective("reduce");
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
        CommState state = comm.enterCollective("reduce");
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
        CommState state = comm.enterCollective("allReduce");
        try {
            check(state, "allReduce", sendbuf, recvbuf, count, type, op);
            Reductions.allReduce(state, sendbuf, recvbuf, count, type, op);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void reduceScatter(Comm comm, Object sendbuf, Object recvbuf, int[] recvcounts, Datatype type, Op op) {
        CommState state = comm.enterCollective("reduceScatter");
        try {
            Object from = source(sendbuf, recvbuf);
            String name = sourceName(sendbuf);
            Argument send = Argument.outgoingPacked(state, "reduceScatter", name, from, "recvcounts", recvcounts, type);
            Arguments.operator(state, "reduceScatter", op, type);
            int own = recvcounts[state.communicator().rank()];
            Arguments.incoming(
                    state, "reduceScatter", targetName(sendbuf), recvbuf, "the own element of recvcounts", own, type);
            Reductions.reduceScatter(state, "reduceScatter", send, recvbuf, op);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void reduceScatterBlock(Comm comm, Object sendbuf, Object recvbuf, int recvcount, Datatype type, Op op) {
        CommState state = comm.enterCollective("reduceScatterBlock");
        try {
            Object from = source(sendbuf, recvbuf);
            String name = sourceName(sendbuf);
            Argument send =
                    Argument.outgoingEach(state, "reduceScatterBlock", name, from, "recvcount", recvcount, type);
            Arguments.operator(state, "reduceScatterBlock", op, type);
            Arguments.incoming(state, "reduceScatterBlock", targetName(sendbuf), recvbuf, "recvcount", recvcount, type);
            Reductions.reduceScatter(state, "reduceScatterBlock", send, recvbuf, op);
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
        CommState state = comm.enterCollective("scan");
        try {
            check(state, "scan", sendbuf, recvbuf, count, type, op);
            Reductions.scan(state, sendbuf, recvbuf, count, type, op);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static void exScan(Comm comm, Object sendbuf, Object recvbuf, int count, Datatype type, Op op) {
        CommState state = comm.enterCollective("exScan");
        try {
            check(state, "exScan", sendbuf, recvbuf, count, type, op);
            Reductions.exclusiveScan(state, sendbuf, recvbuf, count, type, op);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    private static void check(
            CommState state, String operation, Object sendbuf, Object recvbuf, int count, Datatype type, Op op) {
        if (sendbuf != Reductions.IN_PLACE) {
            Arguments.outgoing(state, operation, "sendbuf", sendbuf, "count", count, type);
        }
        Arguments.incoming(state, operation, targetName(sendbuf), recvbuf, "count", count, type);
        Arguments.operator(state, operation, op, type);
    }

    private static Object source(Object sendbuf, Object recvbuf) {
        return sendbuf == Reductions.IN_PLACE ? recvbuf : sendbuf;
    }

    private static String sourceName(Object sendbuf) {
        return sendbuf == Reductions.IN_PLACE ? "buf" : "sendbuf";
    }

    private static String targetName(Object sendbuf) {
        return sendbuf == Reductions.IN_PLACE ? "buf" : "recvbuf";
    }
}
