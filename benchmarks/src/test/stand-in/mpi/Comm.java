package mpi;

import java.nio.Buffer;

public class Comm {
    protected Comm() {}

    public final int getRank() throws MPIException {
        return 0;
    }

    public final int getSize() throws MPIException {
        return 1;
    }

    public final void send(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {}

    public final Status recv(Object buf, int count, Datatype type, int source, int tag) throws MPIException {
        return new Status();
    }

    public final Request iSend(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return new Request();
    }

    public final Request iRecv(Buffer buf, int count, Datatype type, int source, int tag) throws MPIException {
        return new Request();
    }

    public final void barrier() throws MPIException {}

    public final void bcast(Object buf, int count, Datatype type, int root) throws MPIException {}

    public final void reduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op, int root)
            throws MPIException {}

    public final void allReduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) throws MPIException {}

    public final void allGather(
            Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int recvcount, Datatype recvtype)
            throws MPIException {}

    public final void allToAll(
            Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int recvcount, Datatype recvtype)
            throws MPIException {}
}
