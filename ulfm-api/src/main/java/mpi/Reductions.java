package mpi;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import org.ulfmj.runtime.Communicator;
import org.ulfmj.runtime.reduction.Reduction;

/**
 * Collectives that combine data, in both forms: from checked arguments to the call of the runtime, which decides how
 * the data travels; see {@link Collectives}. Everything about the arguments was checked, except for the total length.
 */
final class Reductions {
    /** Stands for a send buffer in the forms without one: the contribution is in the receive buffer. */
    static final Buffer IN_PLACE = ByteBuffer.allocate(0);

    private Reductions() {}

    static Request allReduce(
            CallForm form,
            Comm comm,
            CommState state,
            String operation,
            Object sendbuf,
            Object recvbuf,
            int count,
            Datatype type,
            Op op) {
        Communicator communicator = state.communicator();
        Reduction reduction = op.reduction(type);
        if (form == CallForm.STARTED) {
            Side received = new Side().set(state, operation, recvbuf, count, type);
            Side sent = sent(new Side(), received, state, operation, sendbuf, count, type);
            return new Request(
                    comm, state, communicator.started().allReduce(operation, sent, received, width(type), reduction));
        }
        Sides sides = Sides.take();
        Side received = sides.receive.set(state, operation, recvbuf, count, type);
        Side sent = sent(sides.send, received, state, operation, sendbuf, count, type);
        communicator.collectives().allReduce(sent, received, width(type), reduction);
        sides.release();
        return null;
    }

    /** The receive buffer counts only at the root; the send buffer only at a rank that has a part. */
    static Request reduce(
            CallForm form,
            Comm comm,
            CommState state,
            String operation,
            RootRole role,
            Object sendbuf,
            Object recvbuf,
            int count,
            Datatype type,
            Op op,
            int root) {
        Communicator communicator = state.communicator();
        Reduction reduction = op.reduction(type);
        if (form == CallForm.STARTED) {
            Side received = role.isRoot() ? new Side().set(state, operation, recvbuf, count, type) : null;
            Side sent = role.hasPart() ? sent(new Side(), received, state, operation, sendbuf, count, type) : null;
            return new Request(
                    comm,
                    state,
                    communicator.started().reduce(operation, sent, received, width(type), reduction, root));
        }
        Sides sides = Sides.take();
        Side received = role.isRoot() ? sides.receive.set(state, operation, recvbuf, count, type) : null;
        Side sent = role.hasPart() ? sent(sides.send, received, state, operation, sendbuf, count, type) : null;
        communicator.collectives().reduce(sent, received, width(type), reduction, root);
        sides.release();
        return null;
    }

    /** The part of a rank that neither contributes to a reduction nor gets its result. */
    static Request standBy(CallForm form, Comm comm, CommState state, String operation, int root) {
        Communicator communicator = state.communicator();
        if (form == CallForm.STARTED) {
            return new Request(comm, state, communicator.started().reduce(operation, null, null, 1, null, root));
        }
        communicator.collectives().reduce(null, null, 1, null, root);
        return null;
    }

    static Request scan(
            CallForm form,
            Comm comm,
            CommState state,
            String operation,
            Object sendbuf,
            Object recvbuf,
            int count,
            Datatype type,
            Op op) {
        Communicator communicator = state.communicator();
        Reduction reduction = op.reduction(type);
        if (form == CallForm.STARTED) {
            Side received = new Side().set(state, operation, recvbuf, count, type);
            Side sent = sent(new Side(), received, state, operation, sendbuf, count, type);
            return new Request(
                    comm, state, communicator.started().scan(operation, sent, received, width(type), reduction));
        }
        Sides sides = Sides.take();
        Side received = sides.receive.set(state, operation, recvbuf, count, type);
        Side sent = sent(sides.send, received, state, operation, sendbuf, count, type);
        communicator.collectives().scan(sent, received, width(type), reduction);
        sides.release();
        return null;
    }

    static Request exclusiveScan(
            CallForm form,
            Comm comm,
            CommState state,
            String operation,
            Object sendbuf,
            Object recvbuf,
            int count,
            Datatype type,
            Op op) {
        Communicator communicator = state.communicator();
        Reduction reduction = op.reduction(type);
        if (form == CallForm.STARTED) {
            Side received = new Side().set(state, operation, recvbuf, count, type);
            Side sent = sent(new Side(), received, state, operation, sendbuf, count, type);
            return new Request(
                    comm,
                    state,
                    communicator.started().exclusiveScan(operation, sent, received, width(type), reduction));
        }
        Sides sides = Sides.take();
        Side received = sides.receive.set(state, operation, recvbuf, count, type);
        Side sent = sent(sides.send, received, state, operation, sendbuf, count, type);
        communicator.collectives().exclusiveScan(sent, received, width(type), reduction);
        sides.release();
        return null;
    }

    /**
     * This rank's part of the result goes to the beginning of {@code recvbuf}, which may be the contribution's buffer.
     */
    static Request reduceScatter(
            CallForm form, Comm comm, CommState state, String operation, Argument contribution, Object recvbuf, Op op) {
        Communicator communicator = state.communicator();
        Datatype type = contribution.type();
        Reduction reduction = op.reduction(type);
        int own = contribution.layout().count(communicator.rank());
        if (form == CallForm.STARTED) {
            Side sent = new Side().set(state, operation, contribution);
            Side received = new Side().set(state, operation, recvbuf, own, type);
            return new Request(
                    comm,
                    state,
                    communicator.started().reduceScatter(operation, sent, received, width(type), reduction));
        }
        Sides sides = Sides.take();
        Side sent = sides.send.set(state, operation, contribution);
        Side received = sides.receive.set(state, operation, recvbuf, own, type);
        communicator.collectives().reduceScatter(sent, received, width(type), reduction);
        sides.release();
        return null;
    }

    static void reduceLocal(CommState self, Object in, Object inout, int count, Datatype type, Op op) {
        if (count == 0) {
            return;
        }
        if (type.isBasic()
                && op.operator() != null
                && in.getClass().isArray()
                && inout.getClass().isArray()) {
            type.elements().combine(op.operator(), in, inout, count);
            return;
        }
        Sides sides = Sides.take();
        Side first = sides.send.set(self, "reduceLocal", in, count, type);
        Side second = sides.receive.set(self, "reduceLocal", inout, count, type);
        first.pack();
        second.pack();
        op.reduction(type).apply(first.packed(), second.packed(), count);
        second.unpack();
        sides.release();
    }

    /** The side of the contribution; that of the result if the contribution is in its place. */
    private static Side sent(
            Side side, Side received, CommState state, String operation, Object sendbuf, int count, Datatype type) {
        return sendbuf == IN_PLACE ? received : side.set(state, operation, sendbuf, count, type);
    }

    /** Bytes of an item; 1 for an item of none, of which any number is a vector of no bytes. */
    static int width(Datatype type) {
        return Math.max(1, type.sizeBytes());
    }
}
