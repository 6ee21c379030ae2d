package mpi;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.Communicator;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.message.SendMode;
import org.ulfmj.runtime.transfer.Operation;
import org.ulfmj.runtime.transfer.UnexpectedMessage;

/**
 * Blocking sends and receives, and the probes probe and iProbe: checks their arguments, handles PROC_NULL, and does the
 * two halves of a sendRecv.
 */
final class PointToPoint {
    private PointToPoint() {}

    static void send(
            CommState comm, String operation, Object buf, int count, Datatype type, int dest, int tag, SendMode mode) {
        Arguments.outgoing(comm, operation, "buf", buf, "count", count, type);
        Arguments.destination(comm, operation, "dest", dest);
        Arguments.sendTag(comm, operation, "tag", tag);
        Communicator communicator = comm.communicator();
        if (dest == MPI.PROC_NULL) {
            communicator.checkRevoked(operation);
            return;
        }
        if (!type.isPlain() && mode != SendMode.BUFFERED) {
            ByteBuffer copy = comm.rank().packedCopies().pack(buf, count, type);
            if (copy != null) {
                sendBytes(communicator, copy, count * type.sizeBytes(), dest, tag, mode);
                comm.rank().packedCopies().release(copy);
                return;
            }
        }
        Spans spans = Spans.take();
        communicator.sendAndWait(spans.send(buf, count, type), dest, tag, mode);
        spans.giveBack();
    }

    private static void sendBytes(
            Communicator communicator, ByteBuffer bytes, int count, int dest, int tag, SendMode mode) {
        Spans spans = Spans.take();
        communicator.sendAndWait(spans.send(bytes, count, MPI.BYTE), dest, tag, mode);
        spans.giveBack();
    }

    static void sendBuffered(
            CommState comm, String operation, Object buf, int count, Datatype type, int dest, int tag) {
        Arguments.outgoing(comm, operation, "buf", buf, "count", count, type);
        Arguments.packedBytes(comm, operation, "count", count, type);
        Arguments.destination(comm, operation, "dest", dest);
        Arguments.sendTag(comm, operation, "tag", tag);
        Communicator communicator = comm.communicator();
        if (dest == MPI.PROC_NULL) {
            communicator.checkRevoked(operation);
            return;
        }
        Spans spans = Spans.take();
        Operation sent = communicator.sendBuffered(operation, spans.send(buf, count, type), dest, tag);
        communicator.await(sent);
        communicator.release(sent);
        spans.giveBack();
    }

    static Status receive(CommState comm, String operation, Object buf, int count, Datatype type, int source, int tag) {
        Arguments.incoming(comm, operation, "buf", buf, "count", count, type);
        Arguments.source(comm, operation, "source", source);
        Arguments.receiveTag(comm, operation, "tag", tag);
        Communicator communicator = comm.communicator();
        if (source == MPI.PROC_NULL) {
            communicator.checkRevoked(operation);
            return Status.ofNoProcess();
        }
        Spans spans = Spans.take();
        communicator.receiveAndWait(spans.receive(buf, count, type), source, tag, spans.arrival);
        Status status = Status.of(spans.arrival);
        spans.giveBack();
        return status;
    }

    /** Receives a message that a probe has matched, into a buffer that was checked before. */
    static Status receiveMatched(CommState comm, UnexpectedMessage message, Object buf, int count, Datatype type) {
        Communicator communicator = comm.communicator();
        Spans spans = Spans.take();
        Operation receive = communicator.receiveMatched(message, spans.receive(buf, count, type));
        communicator.await(receive);
        Status status = Status.of(receive);
        communicator.release(receive);
        spans.giveBack();
        return status;
    }

    /**
     * Does a sendRecv. One array may serve both halves, as with bindings that copy arrays: then the content that it has
     * at the call is copied and sent.
     */
    static Status sendReceive(CommState comm, String operation, Spans spans) {
        Half send = spans.sent;
        Half receive = spans.received;
        Arguments.outgoing(comm, operation, "sendbuf", send.buf, "sendcount", send.count, send.type);
        Arguments.destination(comm, operation, "dest", send.peer);
        Arguments.sendTag(comm, operation, "sendtag", send.tag);
        Arguments.incoming(comm, operation, "recvbuf", receive.buf, "recvcount", receive.count, receive.type);
        Arguments.source(comm, operation, "source", receive.peer);
        Arguments.receiveTag(comm, operation, "recvtag", receive.tag);
        if (send.isOneBufferWith(receive) && send.buf.getClass().isArray()) {
            return exchangeCopied(comm, operation, spans, "sendcount");
        }
        Arguments.separate(comm, operation, send, receive);
        return exchange(comm, operation, spans);
    }

    static Status sendReceiveReplace(CommState comm, String operation, Spans spans) {
        Half send = spans.sent;
        Half receive = spans.received;
        Arguments.incoming(comm, operation, "buf", send.buf, "count", send.count, send.type);
        Arguments.destination(comm, operation, "dest", send.peer);
        Arguments.sendTag(comm, operation, "sendtag", send.tag);
        Arguments.source(comm, operation, "source", receive.peer);
        Arguments.receiveTag(comm, operation, "recvtag", receive.tag);
        return exchangeCopied(comm, operation, spans, "count");
    }

    /**
     * Does a sendRecv with the same buffer for both halves: sends a copy of the buffer's content, and receives into the
     * buffer.
     */
    private static Status exchangeCopied(CommState comm, String operation, Spans spans, String countName) {
        Half send = spans.sent;
        int bytes = Arguments.packedBytes(comm, operation, countName, send.count, send.type);
        StagingPool staging = comm.rank().staging();
        ByteBuffer copy = staging.acquire(bytes);
        Packing.pack(send.buf, 0, send.count, send.type, copy);
        send.set(copy.clear(), bytes, MPI.BYTE, send.peer, send.tag);
        Status status = exchange(comm, operation, spans);
        staging.release(copy);
        return status;
    }

    /**
     * Does both halves of a sendRecv. When this method returns or throws, each half that was started has ended or was
     * abandoned. The receive is started first, so that a message of the rank to itself finds it.
     */
    private static Status exchange(CommState comm, String operation, Spans spans) {
        Half send = spans.sent;
        Half receive = spans.received;
        Communicator communicator = comm.communicator();
        boolean sends = send.peer != MPI.PROC_NULL;
        boolean receives = receive.peer != MPI.PROC_NULL;
        if (!sends || !receives) {
            communicator.checkRevoked(operation);
        }
        Operation incoming = null;
        Operation outgoing = null;
        CallError fault;
        boolean areOver = false;
        try {
            if (receives) {
                incoming = communicator.receive(
                        spans.receive(receive.buf, receive.count, receive.type), receive.peer, receive.tag);
            }
            if (sends) {
                outgoing = communicator.send(
                        spans.send(send.buf, send.count, send.type), send.peer, send.tag, SendMode.STANDARD);
            }
            fault = awaitQuietly(communicator, incoming, null);
            fault = awaitQuietly(communicator, outgoing, fault);
            areOver = true;
        } finally {
            if (!areOver) {
                abandon(communicator, incoming);
                abandon(communicator, outgoing);
            }
        }
        if (fault != null) {
            throw fault;
        }
        Status status = receives ? Status.of(incoming) : Status.ofNoProcess();
        if (receives) {
            communicator.release(incoming);
        }
        if (sends) {
            communicator.release(outgoing);
        }
        spans.giveBack();
        return status;
    }

    /**
     * Waits for one half of a sendRecv. Returns {@code earlier} if the other half had failed, else the fault of this
     * half; null if there is none.
     */
    private static CallError awaitQuietly(Communicator communicator, Operation half, CallError earlier) {
        if (half == null) {
            return earlier;
        }
        try {
            communicator.await(half);
            return earlier;
        } catch (CallError fault) {
            if (earlier == null) {
                return fault;
            }
            earlier.addSuppressed(fault);
            return earlier;
        }
    }

    private static void abandon(Communicator communicator, Operation half) {
        if (half != null) {
            communicator.abandon(half);
        }
    }

    static Status probe(CommState comm, int source, int tag) {
        Arguments.source(comm, "probe", "source", source);
        Arguments.receiveTag(comm, "probe", "tag", tag);
        if (source == MPI.PROC_NULL) {
            comm.communicator().checkRevoked("probe");
            return Status.ofNoProcess();
        }
        Spans spans = Spans.take();
        comm.communicator().probe(source, tag, spans.arrival);
        Status status = Status.of(spans.arrival);
        spans.giveBack();
        return status;
    }

    /**
     * Returns the status of a message that could be received now; null if there is none. For PROC_NULL, returns the
     * status of a receive from it.
     */
    static Status tryProbe(CommState comm, int source, int tag) {
        Arguments.source(comm, "iProbe", "source", source);
        Arguments.receiveTag(comm, "iProbe", "tag", tag);
        if (source == MPI.PROC_NULL) {
            comm.communicator().checkRevoked("iProbe");
            return Status.ofNoProcess();
        }
        Spans spans = Spans.take();
        boolean isFound = comm.communicator().tryProbe(source, tag, spans.arrival);
        Status status = isFound ? Status.of(spans.arrival) : null;
        spans.giveBack();
        return status;
    }
}
