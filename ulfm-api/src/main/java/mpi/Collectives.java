package mpi;

import org.ulfmj.runtime.Communicator;

/**
 * Blocking collectives that move data: from checked arguments to the call of the runtime, which decides how the data
 * travels. A null argument is one that the rank does not use, or whose part is in its place already. An operation that
 * fails leaves its copies to the garbage collector ({@link StagingPool}).
 */
final class Collectives {
    private Collectives() {}

    static void broadcast(CommState comm, Argument argument, int root) {
        Sides sides = Sides.take();
        comm.communicator().broadcast(sides.receive.set(comm, "bcast", argument), root);
        sides.release();
    }

    /**
     * The send argument is null at a root whose part is in its place already. The receive argument counts only at the
     * root.
     */
    static void gather(CommState comm, String operation, Argument send, Argument receive, int root) {
        Communicator communicator = comm.communicator();
        boolean isRoot = communicator.rank() == root;
        if (isRoot && send != null) {
            requireSameLength(comm, operation, send, 0, receive, root);
        }
        Sides sides = Sides.take();
        Side received = isRoot ? sides.receive.set(comm, operation, receive) : null;
        communicator.gather(sent(sides, comm, operation, send), received, root);
        sides.release();
    }

    /**
     * The receive argument is null at a root whose part is to stay where it is. The send argument counts only at the
     * root.
     */
    static void scatter(CommState comm, String operation, Argument send, Argument receive, int root) {
        Communicator communicator = comm.communicator();
        boolean isRoot = communicator.rank() == root;
        if (isRoot && receive != null) {
            requireSameLength(comm, operation, send, root, receive, 0);
        }
        Sides sides = Sides.take();
        Side received = receive == null ? null : sides.receive.set(comm, operation, receive);
        communicator.scatter(isRoot ? sides.send.set(comm, operation, send) : null, received, root);
        sides.release();
    }

    /** The send argument is null if this rank's own part is in its place already. */
    static void allGather(CommState comm, String operation, Argument send, Argument receive) {
        Communicator communicator = comm.communicator();
        if (send != null) {
            requireSameLength(comm, operation, send, 0, receive, communicator.rank());
        }
        Sides sides = Sides.take();
        communicator.allGather(sent(sides, comm, operation, send), sides.receive.set(comm, operation, receive));
        sides.release();
    }

    static void allToAll(CommState comm, String operation, Argument send, Argument receive) {
        int rank = comm.communicator().rank();
        requireSameLength(comm, operation, send, rank, receive, rank);
        Sides sides = Sides.take();
        comm.communicator()
                .allToAll(sides.send.set(comm, operation, send), sides.receive.set(comm, operation, receive));
        sides.release();
    }

    private static Side sent(Sides sides, CommState comm, String operation, Argument send) {
        return send == null ? null : sides.send.set(comm, operation, send);
    }

    static void requireSameLength(
            CommState comm, String operation, Argument send, int sendPart, Argument receive, int receivePart) {
        Arguments.sameLength(
                comm,
                operation,
                new Arguments.Part(send.countName(), send.layout().count(sendPart), send.type()),
                new Arguments.Part(receive.countName(), receive.layout().count(receivePart), receive.type()));
    }
}
