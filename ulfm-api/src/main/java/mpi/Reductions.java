package mpi;

import org.ulfmj.runtime.reduction.Reduction;

/**
 * Blocking collectives that combine data: from checked arguments to the call of the runtime, which decides how the data
 * travels. Everything about the arguments was checked, except for the total length.
 */
final class Reductions {
    /** Stands for a send buffer in the forms without one: the contribution is in the receive buffer. */
    static final Object IN_PLACE = new Object();

    private Reductions() {}

    static void allReduce(CommState comm, Object sendbuf, Object recvbuf, int count, Datatype type, Op op) {
        Reduction reduction = op.reduction(type);
        Sides sides = Sides.take();
        Side received = sides.receive.set(comm, "allReduce", recvbuf, count, type);
        Side sent = sent(sides, comm, "allReduce", sendbuf, count, type);
        comm.communicator().allReduce(sent, received, width(type), reduction);
        sides.release();
    }

    static void reduce(CommState comm, Object sendbuf, Object recvbuf, int count, Datatype type, Op op, int root) {
        Reduction reduction = op.reduction(type);
        boolean isRoot = comm.communicator().rank() == root;
        Sides sides = Sides.take();
        Side received = isRoot ? sides.receive.set(comm, "reduce", recvbuf, count, type) : null;
        Side sent = sent(sides, comm, "reduce", sendbuf, count, type);
        comm.communicator().reduce(sent, received, width(type), reduction, root);
        sides.release();
    }

    static void scan(CommState comm, Object sendbuf, Object recvbuf, int count, Datatype type, Op op) {
        Sides sides = Sides.take();
        Side received = sides.receive.set(comm, "scan", recvbuf, count, type);
        Side sent = sent(sides, comm, "scan", sendbuf, count, type);
        comm.communicator().scan(sent, received, width(type), op.reduction(type));
        sides.release();
    }

    static void exclusiveScan(CommState comm, Object sendbuf, Object recvbuf, int count, Datatype type, Op op) {
        Sides sides = Sides.take();
        Side received = sides.receive.set(comm, "exScan", recvbuf, count, type);
        Side sent = sent(sides, comm, "exScan", sendbuf, count, type);
        comm.communicator().exclusiveScan(sent, received, width(type), op.reduction(type));
        sides.release();
    }

    /**
     * This rank's part of the result goes to the beginning of {@code recvbuf}, which may be the contribution's buffer.
     */
    static void reduceScatter(CommState comm, String operation, Argument contribution, Object recvbuf, Op op) {
        Datatype type = contribution.type();
        int own = contribution.layout().count(comm.communicator().rank());
        Sides sides = Sides.take();
        Side sent = sides.send.set(comm, operation, contribution);
        Side received = sides.receive.set(comm, operation, recvbuf, own, type);
        comm.communicator().reduceScatter(sent, received, width(type), op.reduction(type));
        sides.release();
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

    private static Side sent(Sides sides, CommState comm, String operation, Object sendbuf, int count, Datatype type) {
        return sendbuf == IN_PLACE ? sides.receive : sides.send.set(comm, operation, sendbuf, count, type);
    }

    /** Bytes of an item; 1 for an item of none, of which any number is a vector of no bytes. */
    static int width(Datatype type) {
        return Math.max(1, type.sizeBytes());
    }
}
