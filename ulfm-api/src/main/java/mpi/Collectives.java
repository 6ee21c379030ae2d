package mpi;

import org.ulfmj.runtime.Communicator;

/**
 * Collectives that move data, in both forms: passes checked arguments on to the runtime, which decides how the data
 * travels. A side is null if the rank does not use that buffer, or if the rank's own part is already where it belongs.
 * Each method returns the request in the started form, else null. A blocking operation that fails leaves the copies of
 * its buffers to the garbage collector ({@link StagingPool}).
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

    static Request broadcast(
            CallForm form, Comm comm, CommState state, String operation, Sides sides, Side data, int root) {
        Communicator communicator = state.communicator();
        if (form == CallForm.STARTED) {
            return new Request(comm, state, communicator.started().broadcast(operation, data, root));
        }
        communicator.collectives().broadcast(data, root);
        sides.release();
        return null;
    }

    /**
     * Gathers at the root. The send side is null at a root whose part is in its receive buffer already, and at each
     * rank of an inter-communicator that sends nothing. The receive side is null at ranks other than the root.
     *
     * @param areEqual whether all parts are equally long, because the call is a gather and no gatherv
     */
    static Request gather(
            CallForm form,
            Comm comm,
            CommState state,
            String operation,
            Sides sides,
            Side send,
            Side receive,
            boolean areEqual,
            int root) {
        if (send != null && receive != null) {
            send.requireSameLength(0, receive, root);
        }
        Communicator communicator = state.communicator();
        if (form == CallForm.STARTED) {
            return new Request(comm, state, communicator.started().gather(operation, send, receive, areEqual, root));
        }
        communicator.collectives().gather(send, receive, areEqual, root);
        sides.release();
        return null;
    }

    /**
     * Scatters from the root. The receive side is null at a root whose part is to stay in its send buffer, and at each
     * rank of an inter-communicator that receives nothing. The send side is null at ranks other than the root.
     */
    static Request scatter(
            CallForm form,
            Comm comm,
            CommState state,
            String operation,
            Sides sides,
            Side send,
            Side receive,
            int root) {
        if (send != null && receive != null) {
            send.requireSameLength(root, receive, 0);
        }
        Communicator communicator = state.communicator();
        if (form == CallForm.STARTED) {
            return new Request(comm, state, communicator.started().scatter(operation, send, receive, root));
        }
        communicator.collectives().scatter(send, receive, root);
        sides.release();
        return null;
    }

    /** Gathers at all ranks. The send side is null if this rank's own part is in its receive buffer already. */
    static Request allGather(
            CallForm form, Comm comm, CommState state, String operation, Sides sides, Side send, Side receive) {
        Communicator communicator = state.communicator();
        if (send != null && !communicator.isInter()) {
            send.requireSameLength(0, receive, communicator.rank());
        }
        if (form == CallForm.STARTED) {
            return new Request(comm, state, communicator.started().allGather(operation, send, receive));
        }
        communicator.collectives().allGather(send, receive);
        sides.release();
        return null;
    }

    static Request allToAll(
            CallForm form, Comm comm, CommState state, String operation, Sides sides, Side send, Side receive) {
        Communicator communicator = state.communicator();
        if (!communicator.isInter()) {
            int rank = communicator.rank();
            send.requireSameLength(rank, receive, rank);
        }
        if (form == CallForm.STARTED) {
            return new Request(comm, state, communicator.started().allToAll(operation, send, receive));
        }
        communicator.collectives().allToAll(send, receive);
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
}
