package mpi;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import org.ulfmj.runtime.Communicator;
import org.ulfmj.runtime.reduction.Reduction;

/**
 * Collectives that combine data, in both forms: passes checked arguments on to the runtime, which decides how the data
 * travels; see {@link Collectives}. Everything about the arguments was checked before, except for the total length.
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
        Sides sides = Sides.of(form);
        Side received = sides.receive(state, operation).set(recvbuf, count, type);
        Side sent = sent(sides, received, state, operation, sendbuf, count, type);
        if (form == CallForm.STARTED) {
            return new Request(
                    comm, state, communicator.started().allReduce(operation, sent, received, width(type), reduction));
        }
        communicator.collectives().allReduce(sent, received, width(type), reduction);
        sides.release();
        return null;
    }

    /**
     * Reduces to the root. The receive buffer is used only at the root, the send buffer only at a rank that
     * contributes.
     */
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
        Sides sides = Sides.of(form);
        Side received = role.isRoot() ? sides.receive(state, operation).set(recvbuf, count, type) : null;
        Side sent = role.hasPart() ? sent(sides, received, state, operation, sendbuf, count, type) : null;
        if (form == CallForm.STARTED) {
            return new Request(
                    comm,
                    state,
                    communicator.started().reduce(operation, sent, received, width(type), reduction, root));
        }
        communicator.collectives().reduce(sent, received, width(type), reduction, root);
        sides.release();
        return null;
    }

    /**
     * Takes part in a reduction as a rank that neither contributes to it nor gets its result: one of the root's group
     * of an inter-communicator.
     */
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
        Sides sides = Sides.of(form);
        Side received = sides.receive(state, operation).set(recvbuf, count, type);
        Side sent = sent(sides, received, state, operation, sendbuf, count, type);
        if (form == CallForm.STARTED) {
            return new Request(
                    comm, state, communicator.started().scan(operation, sent, received, width(type), reduction));
        }
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
        Sides sides = Sides.of(form);
        Side received = sides.receive(state, operation).set(recvbuf, count, type);
        Side sent = sent(sides, received, state, operation, sendbuf, count, type);
        if (form == CallForm.STARTED) {
            return new Request(
                    comm,
                    state,
                    communicator.started().exclusiveScan(operation, sent, received, width(type), reduction));
        }
        communicator.collectives().exclusiveScan(sent, received, width(type), reduction);
        sides.release();
        return null;
    }

    /**
     * Does a reduce-scatter. This rank's part of the result goes to the beginning of {@code recvbuf}, which may be the
     * contribution's buffer.
     */
    static Request reduceScatter(
            CallForm form,
            Comm comm,
            CommState state,
            String operation,
            Sides sides,
            Side contribution,
            Object recvbuf,
            Op op) {
        Communicator communicator = state.communicator();
        Datatype type = contribution.type();
        Reduction reduction = op.reduction(type);
        int own = contribution.count(communicator.rank());
        Side received = sides.receive(state, operation).set(recvbuf, own, type);
        if (form == CallForm.STARTED) {
            return new Request(
                    comm,
                    state,
                    communicator.started().reduceScatter(operation, contribution, received, width(type), reduction));
        }
        communicator.collectives().reduceScatter(contribution, received, width(type), reduction);
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
        Sides sides = Sides.of(CallForm.BLOCKING);
        Side first = sides.send(self, "reduceLocal").set(in, count, type);
        Side second = sides.receive(self, "reduceLocal").set(inout, count, type);
        first.pack();
        second.pack();
        op.reduction(type).apply(first.packed(), second.packed(), count);
        second.unpack();
        sides.release();
    }

    /**
     * The side of the contribution: that of the send buffer, or that of the receive buffer if the contribution is
     * {@link #IN_PLACE}.
     */
    private static Side sent(
            Sides sides, Side received, CommState state, String operation, Object sendbuf, int count, Datatype type) {
        return sendbuf == IN_PLACE ? received : sides.send(state, operation).set(sendbuf, count, type);
    }

    /**
     * Bytes of an item; 1 for a type whose items have no bytes, of which any number of items is a vector of no bytes.
     */
    static int width(Datatype type) {
        return Math.max(1, type.sizeBytes());
    }
}
