package mpi;

import org.ulfmj.runtime.error.CallError;

/**
 * The collectives of {@link Comm} that move data, in both forms, from the program's arguments to {@link Collectives}.
 * Each method checks the arguments that its rank uses, and turns a fault into what the error handler wants. It returns
 * null in the blocking form, the request in the started form: there a bad argument is raised at once, a failure only
 * when the request is completed.
 */
final class CollectiveCalls {
    private CollectiveCalls() {}

    static Request barrier(CallForm form, Comm comm) {
        String operation = form.name("barrier", "iBarrier");
        CommState state = comm.enter(operation);
        try {
            return Collectives.barrier(form, comm, state, operation);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request bcast(CallForm form, Comm comm, Object buf, int count, Datatype type, int root) {
        String operation = form.name("bcast", "iBcast");
        CommState state = comm.enter(operation);
        try {
            RootRole role = RootRole.of(state, operation, root);
            Sides sides = Sides.of(form);
            Side data = null;
            if (role.isRoot()) {
                data = form.outgoing(sides.receive(state, operation), "buf", buf, "count", count, type);
            } else if (role.hasPart()) {
                data = form.incoming(sides.receive(state, operation), "buf", buf, "count", count, type);
            }
            return Collectives.broadcast(form, comm, state, operation, sides, data, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request gather(
            CallForm form,
            Comm comm,
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvcount,
            Datatype recvtype,
            int root) {
        String operation = form.name("gather", "iGather");
        CommState state = comm.enter(operation);
        try {
            RootRole role = RootRole.of(state, operation, root);
            Sides sides = Sides.of(form);
            Side send = !role.hasPart()
                    ? null
                    : form.outgoing(sides.send(state, operation), "sendbuf", sendbuf, "sendcount", sendcount, sendtype);
            Side receive = !role.isRoot()
                    ? null
                    : form.incomingEach(
                            sides.receive(state, operation), "recvbuf", recvbuf, "recvcount", recvcount, recvtype);
            return Collectives.gather(form, comm, state, operation, sides, send, receive, true, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request gather(CallForm form, Comm comm, Object buf, int count, Datatype type, int root) {
        String operation = form.name("gather", "iGather");
        CommState state = comm.enter(operation);
        try {
            RootRole role = RootRole.of(state, operation, root);
            Sides sides = Sides.of(form);
            Side send = null;
            Side receive = null;
            if (role.isRoot()) {
                receive = form.incomingEach(sides.receive(state, operation), "buf", buf, "count", count, type);
            } else if (role.hasPart()) {
                send = form.outgoing(sides.send(state, operation), "buf", buf, "count", count, type);
            }
            return Collectives.gather(form, comm, state, operation, sides, send, receive, true, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request gatherv(
            CallForm form,
            Comm comm,
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype,
            int root) {
        String operation = form.name("gatherv", "iGatherv");
        CommState state = comm.enter(operation);
        try {
            RootRole role = RootRole.of(state, operation, root);
            Sides sides = Sides.of(form);
            Side send = !role.hasPart()
                    ? null
                    : form.outgoing(sides.send(state, operation), "sendbuf", sendbuf, "sendcount", sendcount, sendtype);
            Side receive = !role.isRoot()
                    ? null
                    : form.incomingParts(
                            sides.receive(state, operation),
                            "recvbuf",
                            recvbuf,
                            "recvcount",
                            recvcount,
                            "displs",
                            displs,
                            recvtype);
            return Collectives.gather(form, comm, state, operation, sides, send, receive, false, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request gatherv(
            CallForm form, Comm comm, Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root) {
        String operation = form.name("gatherv", "iGatherv");
        CommState state = comm.enter(operation);
        try {
            RootRole.required(state, operation, root, true);
            Sides sides = Sides.of(form);
            Side receive = form.incomingParts(
                    sides.receive(state, operation),
                    "recvbuf",
                    recvbuf,
                    "recvcount",
                    recvcount,
                    "displs",
                    displs,
                    recvtype);
            return Collectives.gather(form, comm, state, operation, sides, null, receive, false, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request gatherv(CallForm form, Comm comm, Object sendbuf, int sendcount, Datatype sendtype, int root) {
        String operation = form.name("gatherv", "iGatherv");
        CommState state = comm.enter(operation);
        try {
            RootRole role = RootRole.required(state, operation, root, false);
            Sides sides = Sides.of(form);
            Side send = !role.hasPart()
                    ? null
                    : form.outgoing(sides.send(state, operation), "sendbuf", sendbuf, "sendcount", sendcount, sendtype);
            return Collectives.gather(form, comm, state, operation, sides, send, null, false, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request scatter(
            CallForm form,
            Comm comm,
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvcount,
            Datatype recvtype,
            int root) {
        String operation = form.name("scatter", "iScatter");
        CommState state = comm.enter(operation);
        try {
            RootRole role = RootRole.of(state, operation, root);
            Sides sides = Sides.of(form);
            Side send = !role.isRoot()
                    ? null
                    : form.outgoingEach(
                            sides.send(state, operation), "sendbuf", sendbuf, "sendcount", sendcount, sendtype);
            Side receive = !role.hasPart()
                    ? null
                    : form.incoming(
                            sides.receive(state, operation), "recvbuf", recvbuf, "recvcount", recvcount, recvtype);
            return Collectives.scatter(form, comm, state, operation, sides, send, receive, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request scatter(CallForm form, Comm comm, Object buf, int count, Datatype type, int root) {
        String operation = form.name("scatter", "iScatter");
        CommState state = comm.enter(operation);
        try {
            RootRole role = RootRole.of(state, operation, root);
            Sides sides = Sides.of(form);
            Side send = null;
            Side receive = null;
            if (role.isRoot()) {
                send = form.outgoingEach(sides.send(state, operation), "buf", buf, "count", count, type);
            } else if (role.hasPart()) {
                receive = form.incoming(sides.receive(state, operation), "buf", buf, "count", count, type);
            }
            return Collectives.scatter(form, comm, state, operation, sides, send, receive, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request scatterv(
            CallForm form,
            Comm comm,
            Object sendbuf,
            int[] sendcount,
            int[] displs,
            Datatype sendtype,
            Object recvbuf,
            int recvcount,
            Datatype recvtype,
            int root) {
        String operation = form.name("scatterv", "iScatterv");
        CommState state = comm.enter(operation);
        try {
            RootRole role = RootRole.of(state, operation, root);
            Sides sides = Sides.of(form);
            Side send = !role.isRoot()
                    ? null
                    : form.outgoingParts(
                            sides.send(state, operation),
                            "sendbuf",
                            sendbuf,
                            "sendcount",
                            sendcount,
                            "displs",
                            displs,
                            sendtype);
            Side receive = !role.hasPart()
                    ? null
                    : form.incoming(
                            sides.receive(state, operation), "recvbuf", recvbuf, "recvcount", recvcount, recvtype);
            return Collectives.scatter(form, comm, state, operation, sides, send, receive, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request scatterv(
            CallForm form, Comm comm, Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype, int root) {
        String operation = form.name("scatterv", "iScatterv");
        CommState state = comm.enter(operation);
        try {
            RootRole.required(state, operation, root, true);
            Sides sides = Sides.of(form);
            Side send = form.outgoingParts(
                    sides.send(state, operation),
                    "sendbuf",
                    sendbuf,
                    "sendcount",
                    sendcount,
                    "displs",
                    displs,
                    sendtype);
            return Collectives.scatter(form, comm, state, operation, sides, send, null, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request scatterv(CallForm form, Comm comm, Object recvbuf, int recvcount, Datatype recvtype, int root) {
        String operation = form.name("scatterv", "iScatterv");
        CommState state = comm.enter(operation);
        try {
            RootRole role = RootRole.required(state, operation, root, false);
            Sides sides = Sides.of(form);
            Side receive = !role.hasPart()
                    ? null
                    : form.incoming(
                            sides.receive(state, operation), "recvbuf", recvbuf, "recvcount", recvcount, recvtype);
            return Collectives.scatter(form, comm, state, operation, sides, null, receive, root);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request allGather(
            CallForm form,
            Comm comm,
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvcount,
            Datatype recvtype) {
        String operation = form.name("allGather", "iAllGather");
        CommState state = comm.enter(operation);
        try {
            Sides sides = Sides.of(form);
            Side send =
                    form.outgoing(sides.send(state, operation), "sendbuf", sendbuf, "sendcount", sendcount, sendtype);
            Side receive = form.incomingEach(
                    sides.receive(state, operation), "recvbuf", recvbuf, "recvcount", recvcount, recvtype);
            return Collectives.allGather(form, comm, state, operation, sides, send, receive);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request allGather(CallForm form, Comm comm, Object buf, int count, Datatype type) {
        String operation = form.name("allGather", "iAllGather");
        CommState state = comm.enter(operation);
        try {
            Arguments.inPlace(state, operation);
            Sides sides = Sides.of(form);
            Side receive = form.incomingEach(sides.receive(state, operation), "buf", buf, "count", count, type);
            return Collectives.allGather(form, comm, state, operation, sides, null, receive);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request allGatherv(
            CallForm form,
            Comm comm,
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype) {
        String operation = form.name("allGatherv", "iAllGatherv");
        CommState state = comm.enter(operation);
        try {
            Sides sides = Sides.of(form);
            Side send =
                    form.outgoing(sides.send(state, operation), "sendbuf", sendbuf, "sendcount", sendcount, sendtype);
            Side receive = form.incomingParts(
                    sides.receive(state, operation),
                    "recvbuf",
                    recvbuf,
                    "recvcount",
                    recvcount,
                    "displs",
                    displs,
                    recvtype);
            return Collectives.allGather(form, comm, state, operation, sides, send, receive);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request allGatherv(
            CallForm form, Comm comm, Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype) {
        String operation = form.name("allGatherv", "iAllGatherv");
        CommState state = comm.enter(operation);
        try {
            Arguments.inPlace(state, operation);
            Sides sides = Sides.of(form);
            Side receive = form.incomingParts(
                    sides.receive(state, operation),
                    "recvbuf",
                    recvbuf,
                    "recvcount",
                    recvcount,
                    "displs",
                    displs,
                    recvtype);
            return Collectives.allGather(form, comm, state, operation, sides, null, receive);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request allToAll(
            CallForm form,
            Comm comm,
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvcount,
            Datatype recvtype) {
        String operation = form.name("allToAll", "iAllToAll");
        CommState state = comm.enter(operation);
        try {
            Sides sides = Sides.of(form);
            Side send = form.outgoingEach(
                    sides.send(state, operation), "sendbuf", sendbuf, "sendcount", sendcount, sendtype);
            Side receive = form.incomingEach(
                    sides.receive(state, operation), "recvbuf", recvbuf, "recvcount", recvcount, recvtype);
            return Collectives.allToAll(form, comm, state, operation, sides, send, receive);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request allToAllv(
            CallForm form,
            Comm comm,
            Object sendbuf,
            int[] sendcount,
            int[] sdispls,
            Datatype sendtype,
            Object recvbuf,
            int[] recvcount,
            int[] rdispls,
            Datatype recvtype) {
        String operation = form.name("allToAllv", "iAllToAllv");
        CommState state = comm.enter(operation);
        try {
            Sides sides = Sides.of(form);
            Side send = form.outgoingParts(
                    sides.send(state, operation),
                    "sendbuf",
                    sendbuf,
                    "sendcount",
                    sendcount,
                    "sdispls",
                    sdispls,
                    sendtype);
            Side receive = form.incomingParts(
                    sides.receive(state, operation),
                    "recvbuf",
                    recvbuf,
                    "recvcount",
                    recvcount,
                    "rdispls",
                    rdispls,
                    recvtype);
            return Collectives.allToAll(form, comm, state, operation, sides, send, receive);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request allToAllw(
            CallForm form,
            Comm comm,
            Object sendbuf,
            int[] sendcount,
            int[] sdispls,
            Datatype[] sendtypes,
            Object recvbuf,
            int[] recvcount,
            int[] rdispls,
            Datatype[] recvtypes) {
        String operation = form.name("allToAllw", "iAllToAllw");
        CommState state = comm.enter(operation);
        try {
            MixedParts send = form.outgoingMixed(
                    state,
                    operation,
                    "sendbuf",
                    sendbuf,
                    "sendcount",
                    sendcount,
                    "sdispls",
                    sdispls,
                    "sendtypes",
                    sendtypes);
            MixedParts receive = form.incomingMixed(
                    state,
                    operation,
                    "recvbuf",
                    recvbuf,
                    "recvcount",
                    recvcount,
                    "rdispls",
                    rdispls,
                    "recvtypes",
                    recvtypes);
            return Collectives.allToAllMixed(form, comm, state, operation, send, receive);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }
}
