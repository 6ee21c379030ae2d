package mpi;

import org.ulfmj.runtime.Communicator;
import org.ulfmj.runtime.collective.AllReduceSchedule;
import org.ulfmj.runtime.collective.Blocks;
import org.ulfmj.runtime.collective.ExclusiveScanSchedule;
import org.ulfmj.runtime.collective.ReduceScatterSchedule;
import org.ulfmj.runtime.collective.ReduceSchedule;
import org.ulfmj.runtime.collective.ScanSchedule;
import org.ulfmj.runtime.reduction.Reduction;

/**
 * Blocking collectives that combine data. Arguments were checked but for the total length. Where a call has two buffers
 * the contribution is packed straight into the copy of the receive buffer and combined there, which saves a copy.
 */
final class Reductions {
    /** Stands for a send buffer in the forms without one: the contribution is in the receive buffer. */
    static final Object IN_PLACE = new Object();

    private Reductions() {}

    static void allReduce(CommState comm, Object sendbuf, Object recvbuf, int count, Datatype type, Op op) {
        Reduction reduction = op.reduction(type);
        Spans spans = Spans.take();
        Span received = spans.incoming.set(recvbuf, 0, count, type);
        Span sent = sendbuf == IN_PLACE ? received : spans.outgoing.set(sendbuf, 0, count, type);
        boolean isDone = comm.communicator().allReduce(sent, received, width(type), reduction);
        spans.giveBack();
        if (isDone) {
            return;
        }
        Side both = contribution(comm, "allReduce", sendbuf, recvbuf, count, type);
        comm.communicator().run(new AllReduceSchedule(both.bytes(), both.bytes(), width(type), reduction));
        both.store();
        both.release();
    }

    static void reduce(CommState comm, Object sendbuf, Object recvbuf, int count, Datatype type, Op op, int root) {
        Communicator communicator = comm.communicator();
        Reduction reduction = op.reduction(type);
        boolean isRoot = communicator.rank() == root;
        Spans spans = Spans.take();
        Span received = isRoot ? spans.incoming.set(recvbuf, 0, count, type) : null;
        Span sent = sendbuf == IN_PLACE ? received : spans.outgoing.set(sendbuf, 0, count, type);
        boolean isDone = communicator.reduce(sent, received, width(type), reduction, root);
        spans.giveBack();
        if (isDone) {
            return;
        }
        if (isRoot) {
            Side both = contribution(comm, "reduce", sendbuf, recvbuf, count, type);
            communicator.run(new ReduceSchedule(both.bytes(), both.bytes(), width(type), reduction, root));
            both.store();
            both.release();
        } else {
            Side packed = contribution(comm, "reduce", IN_PLACE, sendbuf, count, type);
            communicator.run(new ReduceSchedule(packed.bytes(), null, width(type), reduction, root));
            packed.release();
        }
    }

    static void scan(CommState comm, Object sendbuf, Object recvbuf, int count, Datatype type, Op op) {
        Side both = contribution(comm, "scan", sendbuf, recvbuf, count, type);
        comm.communicator().run(new ScanSchedule(both.bytes(), both.bytes(), width(type), op.reduction(type)));
        both.store();
        both.release();
    }

    /** The receive buffer of rank 0 stays as it is, so here nothing is packed into it. */
    static void exclusiveScan(CommState comm, Object sendbuf, Object recvbuf, int count, Datatype type, Op op) {
        boolean inPlace = sendbuf == IN_PLACE;
        Side received = side(comm, "exScan", recvbuf, count, type);
        Side sent = inPlace ? received : side(comm, "exScan", sendbuf, count, type);
        sent.load();
        comm.communicator()
                .run(new ExclusiveScanSchedule(sent.bytes(), received.bytes(), width(type), op.reduction(type)));
        if (comm.communicator().rank() != 0) {
            received.store();
        }
        received.release();
        if (!inPlace) {
            sent.release();
        }
    }

    /** The own result goes to the beginning of {@code recvbuf}, which may be the contribution's buffer. */
    static void reduceScatter(CommState comm, String operation, Argument contribution, Object recvbuf, Op op) {
        Datatype type = contribution.type();
        Side sent = Collectives.side(comm, operation, contribution);
        sent.load();
        Blocks blocks = sent.blocks();
        int own = contribution.layout().count(comm.communicator().rank());
        Side received = side(comm, operation, recvbuf, own, type);
        comm.communicator()
                .run(new ReduceScatterSchedule(
                        sent.bytes(), received.bytes(), blocks, width(type), op.reduction(type)));
        received.store();
        received.release();
        sent.release();
    }

    static void reduceLocal(CommState self, Object in, Object inout, int count, Datatype type, Op op) {
        Elements elements = type.elements();
        if (count == 0) {
            return;
        }
        if (op.operator() != null && in.getClass().isArray() && inout.getClass().isArray()) {
            elements.combine(op.operator(), in, inout, count);
            return;
        }
        Side first = side(self, "reduceLocal", in, count, type);
        Side second = side(self, "reduceLocal", inout, count, type);
        first.load();
        second.load();
        op.reduction(type).apply(first.bytes(), second.bytes(), count);
        second.store();
        first.release();
        second.release();
    }

    /** The receive side, holding the own contribution. */
    private static Side contribution(
            CommState comm, String operation, Object sendbuf, Object recvbuf, int count, Datatype type) {
        Side both = side(comm, operation, recvbuf, count, type);
        if (sendbuf == IN_PLACE) {
            both.load();
        } else {
            both.loadFrom(sendbuf, count, type);
        }
        return both;
    }

    private static Side side(CommState comm, String operation, Object buffer, int count, Datatype type) {
        return Collectives.side(comm, operation, new Argument("buf", buffer, "count", Layout.equal(1, count), type));
    }

    private static int width(Datatype type) {
        return type.elements().sizeBytes;
    }
}
