package mpi;

import org.ulfmj.runtime.Communicator;

/**
 * Collectives that move data, in both forms: from checked arguments to the call of the runtime, which decides how the
 * data travels. A null argument is one that the rank does not use, or whose part is in its place already. Each method
 * returns the request in the started form, else null. A blocking operation that fails leaves its copies to the garbage
 * collector ({@link StagingPool}).
 */
final class Collectives {
    private Collectives() {}

    static Request barrier(CallForm form, Comm comm, CommState state, String operation) {
        if (form == CallForm.STARTED) {
            return new Request(comm, state, state.communicator().started().barrier(operation));
        }
        state.communicator().collectives().barrier();
        return null;
    }

    static Request broadcast(CallForm form, Comm comm, CommState state, String operation, Argument argument, int root) {
        Communicator communicator = state.communicator();
        if (form == CallForm.STARTED) {
            Side data = side(state, operation, argument);
            return new Request(comm, state, communicator.started().broadcast(operation, data, root));
        }
        Sides sides = Sides.take();
        communicator.collectives().broadcast(set(sides.receive, state, operation, argument), root);
        sides.release();
        return null;
    }

    /**
     * The send argument is null at a root whose part is in its place already. The receive argument is null at all but
     * the root.
     *
     * @param areEqual whether all parts are equally long by the kind of the call
     */
    static Request gather(
            CallForm form,
            Comm comm,
            CommState state,
            String operation,
            Argument send,
            Argument receive,
            boolean areEqual,
            int root) {
        if (send != null && receive != null) {
            requireSameLength(state, operation, send, 0, receive, root);
        }
        Communicator communicator = state.communicator();
        if (form == CallForm.STARTED) {
            Side sent = side(state, operation, send);
            Side received = side(state, operation, receive);
            return new Request(comm, state, communicator.started().gather(operation, sent, received, areEqual, root));
        }
        Sides sides = Sides.take();
        Side received = set(sides.receive, state, operation, receive);
        communicator.collectives().gather(set(sides.send, state, operation, send), received, areEqual, root);
        sides.release();
        return null;
    }

    /**
     * The receive argument is null at a root whose part is to stay where it is. The send argument is null at all but
     * the root.
     */
    static Request scatter(
            CallForm form, Comm comm, CommState state, String operation, Argument send, Argument receive, int root) {
        if (send != null && receive != null) {
            requireSameLength(state, operation, send, root, receive, 0);
        }
        Communicator communicator = state.communicator();
        if (form == CallForm.STARTED) {
            Side sent = side(state, operation, send);
            Side received = side(state, operation, receive);
            return new Request(comm, state, communicator.started().scatter(operation, sent, received, root));
        }
        Sides sides = Sides.take();
        Side received = set(sides.receive, state, operation, receive);
        communicator.collectives().scatter(set(sides.send, state, operation, send), received, root);
        sides.release();
        return null;
    }

    /** The send argument is null if this rank's own part is in its place already. */
    static Request allGather(
            CallForm form, Comm comm, CommState state, String operation, Argument send, Argument receive) {
        Communicator communicator = state.communicator();
        if (send != null && !communicator.isInter()) {
            requireSameLength(state, operation, send, 0, receive, communicator.rank());
        }
        if (form == CallForm.STARTED) {
            Side sent = side(state, operation, send);
            Side received = side(state, operation, receive);
            return new Request(comm, state, communicator.started().allGather(operation, sent, received));
        }
        Sides sides = Sides.take();
        Side sent = set(sides.send, state, operation, send);
        communicator.collectives().allGather(sent, set(sides.receive, state, operation, receive));
        sides.release();
        return null;
    }

    static Request allToAll(
            CallForm form, Comm comm, CommState state, String operation, Argument send, Argument receive) {
        Communicator communicator = state.communicator();
        if (!communicator.isInter()) {
            int rank = communicator.rank();
            requireSameLength(state, operation, send, rank, receive, rank);
        }
        if (form == CallForm.STARTED) {
            Side sent = side(state, operation, send);
            Side received = side(state, operation, receive);
            return new Request(comm, state, communicator.started().allToAll(operation, sent, received));
        }
        Sides sides = Sides.take();
        Side sent = set(sides.send, state, operation, send);
        communicator.collectives().allToAll(sent, set(sides.receive, state, operation, receive));
        sides.release();
        return null;
    }

    static Request allToAllMixed(
            CallForm form, Comm comm, CommState state, String operation, MixedParts send, MixedParts receive) {
        Communicator communicator = state.communicator();
        if (!communicator.isInter()) {
            int rank = communicator.rank();
            Arguments.sameLength(state, operation, send.part(rank), receive.part(rank));
        }
        StagingPool pool = state.rank().staging();
        MixedSide sent = new MixedSide(pool, send);
        MixedSide received = new MixedSide(pool, receive);
        if (form == CallForm.STARTED) {
            return new Request(comm, state, communicator.started().allToAll(operation, sent, received));
        }
        communicator.collectives().allToAll(sent, received);
        sent.release();
        received.release();
        return null;
    }

    private static Side side(CommState state, String operation, Argument argument) {
        return argument == null ? null : new Side().set(state, operation, argument);
    }

    private static Side set(Side side, CommState state, String operation, Argument argument) {
        return argument == null ? null : side.set(state, operation, argument);
    }

    private static void requireSameLength(
            CommState comm, String operation, Argument send, int sendPart, Argument receive, int receivePart) {
        Arguments.sameLength(
                comm,
                operation,
                new Arguments.Part(send.countName(), send.layout().count(sendPart), send.type()),
                new Arguments.Part(receive.countName(), receive.layout().count(receivePart), receive.type()));
    }
}
