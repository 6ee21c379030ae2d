package mpi;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import org.ulfmj.runtime.CollectiveCall;
import org.ulfmj.runtime.error.CallError;

/**
 * The non-blocking collectives of {@link Comm} and {@link Intracomm} that combine data, from the program's arguments to
 * the request; see {@link StartedCalls}. In the forms with one buffer, {@code buf}, the send buffer is
 * {@link #IN_PLACE}.
 */
final class StartedReductions {
    /** Stands for a send buffer in the forms without one: the contribution is in the receive buffer. */
    static final Buffer IN_PLACE = ByteBuffer.allocate(0);

    private StartedReductions() {}

    static Request reduce(Comm comm, Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op, int root) {
        CommState state = comm.enterCollective("iReduce");
        try {
            boolean isRoot = Arguments.isRoot(state, "iReduce", root);
            Buffer from = DirectArgument.read(state, "iReduce", "sendbuf", sendbuf, "count", count, type);
            Arguments.operator(state, "iReduce", op, type);
            Buffer to =
                    isRoot ? DirectArgument.written(state, "iReduce", "recvbuf", recvbuf, "count", count, type) : null;
            Side send = side(state, "iReduce", from, count, type);
            Side receive = isRoot ? side(state, "iReduce", to, count, type) : null;
            return reduce(comm, state, send, receive, type, op, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request reduce(Comm comm, Buffer buf, int count, Datatype type, Op op, int root) {
        CommState state = comm.enterCollective("iReduce");
        try {
            boolean isRoot = Arguments.isRoot(state, "iReduce", root);
            Buffer data = isRoot
                    ? DirectArgument.written(state, "iReduce", "buf", buf, "count", count, type)
                    : DirectArgument.read(state, "iReduce", "buf", buf, "count", count, type);
            Arguments.operator(state, "iReduce", op, type);
            Side side = side(state, "iReduce", data, count, type);
            return reduce(comm, state, side, isRoot ? side : null, type, op, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    private static Request reduce(Comm comm, CommState state, Side send, Side receive, Datatype type, Op op, int root) {
        CollectiveCall call = state.communicator()
                .started()
                .reduce("iReduce", send, receive, Reductions.width(type), op.reduction(type), root);
        return new Request(comm, state, call);
    }

    static Request allReduce(Comm comm, Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op) {
        CommState state = comm.enterCollective("iAllReduce");
        try {
            Vectors vectors = vectors(state, "iAllReduce", sendbuf, recvbuf, count, type, op);
            CollectiveCall call = state.communicator()
                    .started()
                    .allReduce("iAllReduce", vectors.send, vectors.receive, Reductions.width(type), op.reduction(type));
            return new Request(comm, state, call);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request scan(Comm comm, Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op) {
        CommState state = comm.enterCollective("iScan");
        try {
            Vectors vectors = vectors(state, "iScan", sendbuf, recvbuf, count, type, op);
            CollectiveCall call = state.communicator()
                    .started()
                    .scan("iScan", vectors.send, vectors.receive, Reductions.width(type), op.reduction(type));
            return new Request(comm, state, call);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request exScan(Comm comm, Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op) {
        CommState state = comm.enterCollective("iExScan");
        try {
            Vectors vectors = vectors(state, "iExScan", sendbuf, recvbuf, count, type, op);
            CollectiveCall call = state.communicator()
                    .started()
                    .exclusiveScan(
                            "iExScan", vectors.send, vectors.receive, Reductions.width(type), op.reduction(type));
            return new Request(comm, state, call);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    /** The two vectors of an operation; they are one object if the contribution is in its place. */
    private record Vectors(Side send, Side receive) {}

    private static Vectors vectors(
            CommState state, String operation, Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op) {
        boolean isInPlace = sendbuf == IN_PLACE;
        Buffer from =
                isInPlace ? null : DirectArgument.read(state, operation, "sendbuf", sendbuf, "count", count, type);
        Buffer to =
                DirectArgument.written(state, operation, isInPlace ? "buf" : "recvbuf", recvbuf, "count", count, type);
        Arguments.operator(state, operation, op, type);
        Side receive = side(state, operation, to, count, type);
        return new Vectors(isInPlace ? receive : side(state, operation, from, count, type), receive);
    }

    static Request reduceScatter(Comm comm, Buffer sendbuf, Buffer recvbuf, int[] recvcounts, Datatype type, Op op) {
        CommState state = comm.enterCollective("iReduceScatter");
        try {
            boolean isInPlace = sendbuf == IN_PLACE;
            Buffer from = isInPlace ? recvbuf : sendbuf;
            Argument send = DirectArgument.outgoingPacked(
                    state, "iReduceScatter", isInPlace ? "buf" : "sendbuf", from, "recvcounts", recvcounts, type);
            Arguments.operator(state, "iReduceScatter", op, type);
            int own = recvcounts[state.communicator().rank()];
            Buffer to = DirectArgument.written(
                    state,
                    "iReduceScatter",
                    isInPlace ? "buf" : "recvbuf",
                    recvbuf,
                    "the own element of recvcounts",
                    own,
                    type);
            return reduceScatter(comm, state, "iReduceScatter", send, side(state, "iReduceScatter", to, own, type), op);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request reduceScatterBlock(Comm comm, Buffer sendbuf, Buffer recvbuf, int recvcount, Datatype type, Op op) {
        CommState state = comm.enterCollective("iReduceScatterBlock");
        try {
            boolean isInPlace = sendbuf == IN_PLACE;
            Buffer from = isInPlace ? recvbuf : sendbuf;
            Argument send = DirectArgument.outgoingEach(
                    state, "iReduceScatterBlock", isInPlace ? "buf" : "sendbuf", from, "recvcount", recvcount, type);
            Arguments.operator(state, "iReduceScatterBlock", op, type);
            Buffer to = DirectArgument.written(
                    state, "iReduceScatterBlock", isInPlace ? "buf" : "recvbuf", recvbuf, "recvcount", recvcount, type);
            return reduceScatter(
                    comm,
                    state,
                    "iReduceScatterBlock",
                    send,
                    side(state, "iReduceScatterBlock", to, recvcount, type),
                    op);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    private static Request reduceScatter(
            Comm comm, CommState state, String operation, Argument contribution, Side receive, Op op) {
        Datatype type = contribution.type();
        Side send = new Side().set(state, operation, contribution);
        CollectiveCall call = state.communicator()
                .started()
                .reduceScatter(operation, send, receive, Reductions.width(type), op.reduction(type));
        return new Request(comm, state, call);
    }

    private static Side side(CommState state, String operation, Buffer buffer, int count, Datatype type) {
        return new Side().set(state, operation, buffer, count, type);
    }
}
