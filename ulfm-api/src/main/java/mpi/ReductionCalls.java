package mpi;

import org.ulfmj.runtime.error.CallError;

/**
 * The collectives of {@link Comm} and {@link Intracomm} that combine data, in both forms, from the program's arguments
 * to {@link Reductions}; see {@link CollectiveCalls}. The forms with one buffer, {@code buf}, pass on
 * {@link Reductions#IN_PLACE} as the send buffer, in a reduce at the root only.
 */
final class ReductionCalls {
    private ReductionCalls() {}

    static Request reduce(
            CallForm form, Comm comm, Object sendbuf, Object recvbuf, int count, Datatype type, Op op, int root) {
        String operation = form.name("reduce", "iReduce");
        CommState state = comm.enter(operation);
        try {
            RootRole role = RootRole.of(state, operation, root);
            if (role == RootRole.BYSTANDER) {
                return Reductions.standBy(form, comm, state, operation, root);
            }
            Object from = null;
            if (role.hasPart()) {
                from = form.read(state, operation, "sendbuf", sendbuf, "count", count, type);
            } else {
                Arguments.type(state, operation, "recvbuf", type);
            }
            Arguments.operator(state, operation, op, type);
            Object to = null;
            if (role.isRoot()) {
                to = form.written(state, operation, "recvbuf", recvbuf, "count", count, type);
            }
            return Reductions.reduce(form, comm, state, operation, role, from, to, count, type, op, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request reduce(CallForm form, Comm comm, Object buf, int count, Datatype type, Op op, int root) {
        String operation = form.name("reduce", "iReduce");
        CommState state = comm.enter(operation);
        try {
            RootRole role = RootRole.of(state, operation, root);
            if (role == RootRole.BYSTANDER) {
                return Reductions.standBy(form, comm, state, operation, root);
            }
            Object data = role.isRoot()
                    ? form.written(state, operation, "buf", buf, "count", count, type)
                    : form.read(state, operation, "buf", buf, "count", count, type);
            Arguments.operator(state, operation, op, type);
            Object from = role.isRoot() ? Reductions.IN_PLACE : data;
            return Reductions.reduce(form, comm, state, operation, role, from, data, count, type, op, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request allReduce(
            CallForm form, Comm comm, Object sendbuf, Object recvbuf, int count, Datatype type, Op op) {
        String operation = form.name("allReduce", "iAllReduce");
        CommState state = comm.enter(operation);
        try {
            Object from = source(form, state, operation, sendbuf, count, type);
            Object to = form.written(state, operation, targetName(sendbuf), recvbuf, "count", count, type);
            Arguments.operator(state, operation, op, type);
            return Reductions.allReduce(form, comm, state, operation, from, to, count, type, op);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request scan(CallForm form, Comm comm, Object sendbuf, Object recvbuf, int count, Datatype type, Op op) {
        String operation = form.name("scan", "iScan");
        CommState state = comm.enter(operation);
        try {
            Object from = source(form, state, operation, sendbuf, count, type);
            Object to = form.written(state, operation, targetName(sendbuf), recvbuf, "count", count, type);
            Arguments.operator(state, operation, op, type);
            return Reductions.scan(form, comm, state, operation, from, to, count, type, op);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request exScan(CallForm form, Comm comm, Object sendbuf, Object recvbuf, int count, Datatype type, Op op) {
        String operation = form.name("exScan", "iExScan");
        CommState state = comm.enter(operation);
        try {
            Object from = source(form, state, operation, sendbuf, count, type);
            Object to = form.written(state, operation, targetName(sendbuf), recvbuf, "count", count, type);
            Arguments.operator(state, operation, op, type);
            return Reductions.exclusiveScan(form, comm, state, operation, from, to, count, type, op);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request reduceScatter(
            CallForm form, Comm comm, Object sendbuf, Object recvbuf, int[] recvcounts, Datatype type, Op op) {
        String operation = form.name("reduceScatter", "iReduceScatter");
        CommState state = comm.enter(operation);
        try {
            boolean isInPlace = sendbuf == Reductions.IN_PLACE;
            if (isInPlace) {
                Arguments.inPlace(state, operation);
            }
            Object from = isInPlace ? recvbuf : sendbuf;
            String name = isInPlace ? "buf" : "sendbuf";
            Sides sides = Sides.of(form);
            Side send = form.outgoingPacked(sides.send(state, operation), name, from, "recvcounts", recvcounts, type);
            Arguments.operator(state, operation, op, type);
            int own = recvcounts[state.communicator().rank()];
            String ownName = "the own element of recvcounts";
            Object to = form.written(state, operation, targetName(sendbuf), recvbuf, ownName, own, type);
            return Reductions.reduceScatter(form, comm, state, operation, sides, send, to, op);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request reduceScatterBlock(
            CallForm form, Comm comm, Object sendbuf, Object recvbuf, int recvcount, Datatype type, Op op) {
        String operation = form.name("reduceScatterBlock", "iReduceScatterBlock");
        CommState state = comm.enter(operation);
        try {
            boolean isInPlace = sendbuf == Reductions.IN_PLACE;
            if (isInPlace) {
                Arguments.inPlace(state, operation);
            }
            Object from = isInPlace ? recvbuf : sendbuf;
            String name = isInPlace ? "buf" : "sendbuf";
            Sides sides = Sides.of(form);
            Side send = form.outgoingBlocks(sides.send(state, operation), name, from, "recvcount", recvcount, type);
            Arguments.operator(state, operation, op, type);
            Object to = form.written(state, operation, targetName(sendbuf), recvbuf, "recvcount", recvcount, type);
            return Reductions.reduceScatter(form, comm, state, operation, sides, send, to, op);
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

    /**
     * Checks the send buffer of an operation and returns the one to use. {@link Reductions#IN_PLACE} stands for a
     * contribution that is in the receive buffer already.
     */
    private static Object source(
            CallForm form, CommState state, String operation, Object sendbuf, int count, Datatype type) {
        if (sendbuf == Reductions.IN_PLACE) {
            Arguments.inPlace(state, operation);
            return sendbuf;
        }
        return form.read(state, operation, "sendbuf", sendbuf, "count", count, type);
    }

    private static String targetName(Object sendbuf) {
        return sendbuf == Reductions.IN_PLACE ? "buf" : "recvbuf";
    }
}
