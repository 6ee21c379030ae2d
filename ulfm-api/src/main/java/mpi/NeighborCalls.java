package mpi;

import org.ulfmj.runtime.collective.Neighborhood;
import org.ulfmj.runtime.error.CallError;

/**
 * The neighbour collectives of {@link Comm}, in both forms, from the program's arguments to {@link NeighborExchange};
 * see {@link CollectiveCalls}.
 */
final class NeighborCalls {
    private NeighborCalls() {}

    static Request allGather(
            CallForm form,
            Comm comm,
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvcount,
            Datatype recvtype) {
        String operation = form.name("neighborAllGather", "iNeighborAllGather");
        CommState state = comm.enter(operation);
        try {
            Neighborhood neighbors = NeighborExchange.neighbors(state, operation);
            int most = neighbors.sourceCount() == 0 ? 0 : recvcount;
            Object send = form.source(state, operation, "sendbuf", sendbuf, "sendcount", sendcount, sendtype);
            Object receive = form.target(state, operation, "recvbuf", recvbuf, "recvcount", most, recvtype);
            return NeighborExchange.allGather(
                            state, operation, Sides.of(form), send, sendcount, sendtype, receive, recvcount, recvtype)
                    .perform(form, comm);
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
        String operation = form.name("neighborAllGatherv", "iNeighborAllGatherv");
        CommState state = comm.enter(operation);
        try {
            Neighborhood neighbors = NeighborExchange.neighbors(state, operation);
            int most = CallForm.most(recvcount, neighbors.sourceCount());
            Object send = form.source(state, operation, "sendbuf", sendbuf, "sendcount", sendcount, sendtype);
            Object receive = form.target(state, operation, "recvbuf", recvbuf, "the sum of recvcount", most, recvtype);
            return NeighborExchange.allGatherv(
                            state,
                            operation,
                            Sides.of(form),
                            send,
                            sendcount,
                            sendtype,
                            receive,
                            form.kept(recvcount),
                            form.kept(displs),
                            recvtype)
                    .perform(form, comm);
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
        String operation = form.name("neighborAllToAll", "iNeighborAllToAll");
        CommState state = comm.enter(operation);
        try {
            Neighborhood neighbors = NeighborExchange.neighbors(state, operation);
            int mostSent = neighbors.destinationCount() == 0 ? 0 : sendcount;
            int most = neighbors.sourceCount() == 0 ? 0 : recvcount;
            Object send = form.source(state, operation, "sendbuf", sendbuf, "sendcount", mostSent, sendtype);
            Object receive = form.target(state, operation, "recvbuf", recvbuf, "recvcount", most, recvtype);
            return NeighborExchange.allToAll(
                            state, operation, Sides.of(form), send, sendcount, sendtype, receive, recvcount, recvtype)
                    .perform(form, comm);
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
        String operation = form.name("neighborAllToAllv", "iNeighborAllToAllv");
        CommState state = comm.enter(operation);
        try {
            Neighborhood neighbors = NeighborExchange.neighbors(state, operation);
            int mostSent = CallForm.most(sendcount, neighbors.destinationCount());
            int most = CallForm.most(recvcount, neighbors.sourceCount());
            Object send = form.source(state, operation, "sendbuf", sendbuf, "the sum of sendcount", mostSent, sendtype);
            Object receive = form.target(state, operation, "recvbuf", recvbuf, "the sum of recvcount", most, recvtype);
            return NeighborExchange.allToAllv(
                            state,
                            operation,
                            Sides.of(form),
                            send,
                            form.kept(sendcount),
                            form.kept(sdispls),
                            sendtype,
                            receive,
                            form.kept(recvcount),
                            form.kept(rdispls),
                            recvtype)
                    .perform(form, comm);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }
}
