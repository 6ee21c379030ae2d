package mpi;

import org.ulfmj.runtime.Communicator;
import org.ulfmj.runtime.collective.AllGatherSchedule;
import org.ulfmj.runtime.collective.AllToAllSchedule;
import org.ulfmj.runtime.collective.BroadcastSchedule;
import org.ulfmj.runtime.collective.GatherSchedule;
import org.ulfmj.runtime.collective.ScatterSchedule;

/**
 * Blocking collectives that move data: arguments, copies and the schedule. What a rank does not use it does not look
 * at, so those arguments may be anything. An operation that fails leaves its copies to the collector
 * ({@link StagingPool}).
 */
final class Collectives {
    private Collectives() {}

    static void broadcast(CommState comm, Argument argument, int root) {
        if (hostBroadcast(comm, argument, root)) {
            return;
        }
        boolean isRoot = comm.communicator().rank() == root;
        Side data = side(comm, "bcast", argument);
        if (isRoot) {
            data.load();
        }
        comm.communicator().run(new BroadcastSchedule(data.bytes(), root));
        if (!isRoot) {
            data.store();
        }
        data.release();
    }

    private static boolean hostBroadcast(CommState comm, Argument argument, int root) {
        Spans spans = Spans.take();
        boolean isDone = comm.communicator().broadcast(span(spans.outgoing, argument), root);
        spans.giveBack();
        return isDone;
    }

    private static void requirePackable(CommState comm, String operation, Argument argument) {
        Arguments.packedBytes(
                comm, operation, argument.countName(), argument.layout().total(), argument.type());
    }

    private static Span span(Span span, Argument argument) {
        return span.set(argument.buffer(), 0, (int) argument.layout().total(), argument.type());
    }

    /** The send argument is null at a root whose part is in its place already; the receive one counts there only. */
    static void gather(CommState comm, String operation, Argument send, Argument receive, int root) {
        Communicator communicator = comm.communicator();
        if (communicator.rank() != root) {
            Side sent = loaded(comm, operation, send);
            communicator.run(new GatherSchedule(sent.bytes(), null, null, root));
            sent.release();
            return;
        }
        Side received = side(comm, operation, receive);
        Side sent = ownPart(comm, operation, send, receive, received);
        communicator.run(
                new GatherSchedule(sent == null ? null : sent.bytes(), received.bytes(), received.blocks(), root));
        finish(sent, received);
    }

    /** The receive argument is null at a root whose part is to stay where it is; the send one counts there only. */
    static void scatter(CommState comm, String operation, Argument send, Argument receive, int root) {
        Communicator communicator = comm.communicator();
        Side received = receive == null ? null : side(comm, operation, receive);
        if (communicator.rank() != root) {
            communicator.run(new ScatterSchedule(null, null, received.bytes(), root));
            finish(null, received);
            return;
        }
        if (receive != null) {
            requireSameLength(comm, operation, send, root, receive, 0);
        }
        Side sent = loaded(comm, operation, send);
        communicator.run(
                new ScatterSchedule(sent.bytes(), sent.blocks(), received == null ? null : received.bytes(), root));
        if (received != null) {
            received.store();
            received.release();
        }
        sent.release();
    }

    /** The send argument is null if the own part is in its place already. */
    static void allGather(CommState comm, String operation, Argument send, Argument receive) {
        if (operation.equals("allGather") && hostAllGather(comm, operation, send, receive)) {
            return;
        }
        Side received = side(comm, operation, receive);
        Side sent = ownPart(comm, operation, send, receive, received);
        comm.communicator()
                .run(new AllGatherSchedule(sent == null ? null : sent.bytes(), received.bytes(), received.blocks()));
        finish(sent, received);
    }

    private static boolean hostAllGather(CommState comm, String operation, Argument send, Argument receive) {
        if (send != null) {
            requireSameLength(
                    comm, operation, send, 0, receive, comm.communicator().rank());
        }
        requirePackable(comm, operation, receive);
        Spans spans = Spans.take();
        boolean isDone = comm.communicator()
                .allGather(send == null ? null : span(spans.outgoing, send), span(spans.incoming, receive));
        spans.giveBack();
        return isDone;
    }

    static void allToAll(CommState comm, String operation, Argument send, Argument receive) {
        int rank = comm.communicator().rank();
        requireSameLength(comm, operation, send, rank, receive, rank);
        if (operation.equals("allToAll") && hostAllToAll(comm, send, receive)) {
            return;
        }
        Side sent = loaded(comm, operation, send);
        Side received = side(comm, operation, receive);
        comm.communicator().run(new AllToAllSchedule(sent.bytes(), sent.blocks(), received.bytes(), received.blocks()));
        finish(sent, received);
    }

    private static boolean hostAllToAll(CommState comm, Argument send, Argument receive) {
        requirePackable(comm, "allToAll", send);
        requirePackable(comm, "allToAll", receive);
        Spans spans = Spans.take();
        boolean isDone = comm.communicator().allToAll(span(spans.outgoing, send), span(spans.incoming, receive));
        spans.giveBack();
        return isDone;
    }

    /** The own contribution: its own side, or null once it is known to be in its place in the receive side. */
    private static Side ownPart(CommState comm, String operation, Argument send, Argument receive, Side received) {
        int rank = comm.communicator().rank();
        if (send == null) {
            received.loadPart(rank);
            return null;
        }
        requireSameLength(comm, operation, send, 0, receive, rank);
        return loaded(comm, operation, send);
    }

    private static void requireSameLength(
            CommState comm, String operation, Argument send, int sendPart, Argument receive, int receivePart) {
        Arguments.sameLength(
                comm,
                operation,
                new Arguments.Part(send.countName(), send.layout().count(sendPart), send.type()),
                new Arguments.Part(receive.countName(), receive.layout().count(receivePart), receive.type()));
    }

    static Side side(CommState comm, String operation, Argument argument) {
        int bytes = Arguments.packedBytes(
                comm, operation, argument.countName(), argument.layout().total(), argument.type());
        return new Side(comm.rank().staging(), argument.buffer(), argument.type(), argument.layout(), bytes);
    }

    private static Side loaded(CommState comm, String operation, Argument argument) {
        Side side = side(comm, operation, argument);
        side.load();
        return side;
    }

    private static void finish(Side sent, Side received) {
        received.store();
        received.release();
        if (sent != null) {
            sent.release();
        }
    }
}
