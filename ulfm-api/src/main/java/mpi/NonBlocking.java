package mpi;

import java.nio.Buffer;
import java.nio.IntBuffer;
import org.ulfmj.runtime.Communicator;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.message.PassingPayload;
import org.ulfmj.runtime.message.SendMode;
import org.ulfmj.runtime.transfer.Operation;
import org.ulfmj.runtime.transfer.UnexpectedMessage;

/**
 * Starts operations and returns their requests. A bad argument is raised at once; a failure is raised only when the
 * request is completed.
 *
 * <p>Open MPI's bindings, whose API this is, take direct buffers only. For other buffers they throw
 * {@link IllegalArgumentException} without asking the error handler. Heap buffers work here; a buffer of a wrong kind
 * raises the same exception.
 */
final class NonBlocking {
    /** The most items of a short send, which gets no view of the program's buffer in advance. */
    private static final int SHORT_ITEMS = 512;

    private NonBlocking() {}

    static Request send(
            Comm comm,
            CommState state,
            String operation,
            Buffer buf,
            int count,
            Datatype type,
            int dest,
            int tag,
            SendMode mode) {
        try {
            checkSend(state, operation, buf, count, type, dest, tag);
            Communicator communicator = state.communicator();
            if (dest == MPI.PROC_NULL) {
                return new Request(comm, state, communicator.noMessage(operation));
            }
            Spans spans = Spans.take();
            PassingPayload data =
                    count > SHORT_ITEMS ? spans.sendLater(buf, count, type) : spans.send(buf, count, type);
            Operation started = communicator.sendPassing(data, dest, tag, mode);
            spans.giveBack();
            return new Request(comm, state, started);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request sendBuffered(Comm comm, CommState state, Buffer buf, int count, Datatype type, int dest, int tag) {
        try {
            checkSend(state, "ibSend", buf, count, type, dest, tag);
            Arguments.packedBytes(state, "ibSend", "count", count, type);
            Communicator communicator = state.communicator();
            Operation started = dest == MPI.PROC_NULL
                    ? communicator.noMessage("ibSend")
                    : communicator.sendBuffered("ibSend", span(buf, count, type), dest, tag);
            return new Request(comm, state, started);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    /** Starts the receive of a matched message into a buffer that was checked before. */
    static Request receiveMatched(
            Comm comm, CommState state, UnexpectedMessage message, Buffer buf, int count, Datatype type) {
        try {
            Operation started = state.communicator().receiveMatched(message, span(buf, count, type));
            return new Request(comm, state, started);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    static Request receive(Comm comm, CommState state, Buffer buf, int count, Datatype type, int source, int tag) {
        try {
            checkReceive(state, "iRecv", buf, count, type, source, tag);
            Communicator communicator = state.communicator();
            if (source == MPI.PROC_NULL) {
                return new Request(comm, state, communicator.noMessage("iRecv"));
            }
            Spans spans = Spans.take();
            Operation started = communicator.receivePassing(spans.receiveLater(buf, count, type), source, tag);
            spans.giveBack();
            return new Request(comm, state, started);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    /** Makes a send that can be started again and again. Starts nothing yet. */
    static Prequest persistentSend(
            Comm comm,
            CommState state,
            String operation,
            Buffer buf,
            int count,
            Datatype type,
            int dest,
            int tag,
            SendMode mode) {
        try {
            checkSend(state, operation, buf, count, type, dest, tag);
            if (mode == SendMode.BUFFERED) {
                // When such a send is started and does not end at once, the message is copied into one buffer. So the
                // message must not have more bytes than one buffer holds.
                Arguments.packedBytes(state, operation, "count", count, type);
            }
            return new Prequest(comm, state, span(buf, count, type), dest, tag, mode);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    /** Makes a receive that can be started again and again. Starts nothing yet. */
    static Prequest persistentReceive(
            Comm comm, CommState state, Buffer buf, int count, Datatype type, int source, int tag) {
        try {
            checkReceive(state, "recvInit", buf, count, type, source, tag);
            return new Prequest(comm, state, span(buf, count, type), source, tag, null);
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    private static void checkSend(
            CommState state, String operation, Buffer buf, int count, Datatype type, int dest, int tag) {
        checkBuffer(state, operation, buf, count, type);
        Arguments.destination(state, operation, "dest", dest);
        Arguments.sendTag(state, operation, "tag", tag);
    }

    private static void checkReceive(
            CommState state, String operation, Buffer buf, int count, Datatype type, int source, int tag) {
        checkTarget(state, operation, buf, count, type);
        Arguments.source(state, operation, "source", source);
        Arguments.receiveTag(state, operation, "tag", tag);
    }

    /** Checks a buffer that a message is to be received into. */
    static void checkTarget(CommState state, String operation, Buffer buf, int count, Datatype type) {
        checkBuffer(state, operation, buf, count, type);
        writable(operation, "buf", buf, count);
    }

    private static void checkBuffer(CommState state, String operation, Buffer buf, int count, Datatype type) {
        if (count < 0 || type == null || !type.isUsable() || !Arguments.holds(buf, count, type)) {
            usable(state, operation, "buf", buf, count, type);
            Arguments.outgoing(state, operation, "buf", buf, "count", count, type);
        }
    }

    static Request agree(Comm comm, CommState state, IntBuffer flag) {
        try {
            usable(state, "iAgree", "flag", flag, 1, MPI.INT);
            writable("iAgree", "flag", flag, 1);
            if (flag.capacity() == 0) {
                throw state.bad(ErrorClass.ARG, "iAgree", "flag has no element; allowed: 1 or more");
            }
            PassingPayload result = span(flag, 1, MPI.INT);
            int value = flag.duplicate().clear().get(0);
            return new Request(comm, state, state.communicator().recovery().startAgree(value, result));
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        }
    }

    /** Checks that a buffer is of a kind that holds items of the type, if the count is positive. */
    private static void usable(
            CommState state, String operation, String name, Buffer buffer, int count, Datatype type) {
        usable(state, operation, name, buffer, "count", count, type);
    }

    static void usable(
            CommState state, String operation, String name, Buffer buffer, String countName, int count, Datatype type) {
        if (count <= 0) {
            return;
        }
        Arguments.type(state, operation, name, type);
        if (buffer == null) {
            throw new IllegalArgumentException(
                    operation + ": " + Arguments.problem(name, null, countName, count, type));
        }
        if (Arguments.capacity(buffer, type) == Elements.WRONG_TYPE) {
            throw new IllegalArgumentException(operation + ": " + name + " is " + Arguments.kind(buffer)
                    + " but its type is " + type + "; allowed: " + Arguments.buffers(type));
        }
    }

    static void writable(String operation, String name, Buffer buffer, int count) {
        if (count > 0 && buffer.isReadOnly()) {
            throw new IllegalArgumentException(
                    operation + ": " + name + " is a read-only buffer; allowed: a writable one");
        }
    }

    /**
     * Describes the program's memory by a separate view. The program may move its buffer's position and limit while the
     * operation is under way, for example by {@link MPI#slice(IntBuffer, int)}.
     */
    private static PassingPayload span(Buffer buffer, int count, Datatype type) {
        if (!type.isPlain()) {
            return Strided.items(buffer, 0, count, type);
        }
        return new Span().setLater(BufferViews.ofThread(), buffer, count, type);
    }
}
