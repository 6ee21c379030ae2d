package mpi;

import java.nio.Buffer;
import org.ulfmj.runtime.Communicator;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.transfer.UnexpectedMessage;

/**
 * A message that a probe has matched (MPI 3.1 section 3.8.2): no other receive or probe finds it, so that threads can
 * each probe for a message and receive the very message that they found. An object is null at first, has a message
 * after {@link #mProbe} or a successful {@link #imProbe}, and is null again once that message is being received.
 *
 * <p>A message whose sender has failed since is received if it has arrived whole, else the receive raises
 * {@link ProcFailedException}; on a communicator that is revoked since, it raises {@link RevokedException}.
 * Thread-safe: of two threads that receive one message one gets it, and the other raises {@code ERR_REQUEST}.
 */
public final class Message {
    /**
     * The message that a probe has matched, with the communicator and the status; {@code found} is null for a probe of
     * {@link MPI#PROC_NULL}.
     */
    private record Match(Comm comm, CommState state, UnexpectedMessage found, Status status) {}

    /** Null if this object has no message. */
    private Match match;
    /** Whether a thread is inside a probe of this object. */
    private boolean isProbing;

    /** Makes a null message. */
    public Message() {}

    /** Whether this object has no message. Local. */
    public synchronized boolean isNull() {
        return match == null;
    }

    /** Whether this is the message of no rank, which a probe of {@link MPI#PROC_NULL} finds. Local. */
    public synchronized boolean isNoProc() {
        return match != null && match.found() == null;
    }

    /**
     * Waits for a message, as {@link Comm#probe} does, and takes it for {@link #mRecv} or {@link #imRecv}. Blocking.
     *
     * <p>{@code MPI_Mprobe}, MPI 3.1 section 3.8.2.
     *
     * @param source rank of the sender, {@link MPI#ANY_SOURCE}, or {@link MPI#PROC_NULL} for a message of nothing from
     *     no rank
     * @param tag of the message, or {@link MPI#ANY_TAG}
     * @throws ProcFailedException as {@link Comm#probe} does; this object is null then
     * @throws MPIException of class {@code ERR_REQUEST} if this object has a message that is not received yet, or
     *     another thread is inside a probe of this object
     */
    public Status mProbe(int source, int tag, Comm comm) {
        return probe("mProbe", source, tag, comm, true);
    }

    /**
     * As {@link #mProbe} without waiting: returns null, and this object stays null, if there is no such message now.
     *
     * <p>{@code MPI_Improbe}, MPI 3.1 section 3.8.2.
     */
    public Status imProbe(int source, int tag, Comm comm) {
        return probe("imProbe", source, tag, comm, false);
    }

    private Status probe(String call, int source, int tag, Comm comm, boolean waits) {
        if (comm == null) {
            throw Exceptions.withoutCommunicator(call, MPI.ERR_COMM, "comm is null; allowed: a communicator");
        }
        CommState state = comm.enter(call);
        Match found = null;
        boolean isReserved = false;
        try {
            Arguments.source(state, call, "source", source);
            Arguments.receiveTag(state, call, "tag", tag);
            isReserved = reserve();
            if (!isReserved) {
                throw state.bad(
                        ErrorClass.REQUEST,
                        call,
                        "this object has a message that is not received, or another thread probes with it; allowed: a"
                                + " null one");
            }
            found = match(state, call, source, tag, comm, waits);
            return found == null ? null : found.status();
        } catch (CallError fault) {
            throw comm.raise(state, fault);
        } finally {
            if (isReserved) {
                hold(found);
            }
        }
    }

    /** Returns the message that a probe matches; null if the probe does not wait and there is no such message now. */
    private static Match match(CommState state, String call, int source, int tag, Comm comm, boolean waits) {
        Communicator communicator = state.communicator();
        if (source == MPI.PROC_NULL) {
            communicator.checkRevoked(call);
            return new Match(comm, state, null, Status.ofNoProcess());
        }
        Spans spans = Spans.take();
        UnexpectedMessage found = waits
                ? communicator.matchProbe(source, tag, spans.arrival)
                : communicator.tryMatchProbe(source, tag, spans.arrival);
        Match matched = found == null ? null : new Match(comm, state, found, Status.of(spans.arrival));
        spans.giveBack();
        return matched;
    }

    private synchronized boolean reserve() {
        if (match != null || isProbing) {
            return false;
        }
        isProbing = true;
        return true;
    }

    private synchronized void hold(Match newMatch) {
        isProbing = false;
        match = newMatch;
    }

    /**
     * Receives the message and waits for it. Blocking.
     *
     * <p>{@code MPI_Mrecv}, MPI 3.1 section 3.8.3.
     *
     * @return the sender, the tag and the length of the message
     * @throws MPIException of class {@code ERR_REQUEST} if this object has no message, {@code ERR_TRUNCATE} if the
     *     message is longer than {@code count} items
     */
    public Status mRecv(Object buf, int count, Datatype type) {
        Match taken = required("mRecv");
        CommState state = taken.state();
        try {
            Arguments.incoming(state, "mRecv", "buf", buf, "count", count, type);
            take("mRecv", taken);
            if (taken.found() == null) {
                return Status.ofNoProcess();
            }
            return PointToPoint.receiveMatched(state, taken.found(), buf, count, type);
        } catch (CallError fault) {
            throw taken.comm().raise(state, fault);
        }
    }

    /**
     * Starts the receive of the message and returns at once. The request is complete when the message is in the buffer.
     * A failure or a revocation is not raised here, but by the call that completes the request.
     *
     * <p>{@code MPI_Imrecv}, MPI 3.1 section 3.8.3.
     *
     * @param buf a direct or heap buffer of the type's kind, or a {@link java.nio.ByteBuffer}
     * @throws IllegalArgumentException if {@code count} is positive and {@code buf} is null, no such buffer, or
     *     read-only
     * @throws MPIException of class {@code ERR_REQUEST} if this object has no message
     */
    public Request imRecv(Buffer buf, int count, Datatype type) {
        Match taken = required("imRecv");
        CommState state = taken.state();
        try {
            NonBlocking.checkTarget(state, "imRecv", buf, count, type);
            take("imRecv", taken);
            if (taken.found() == null) {
                return new Request(taken.comm(), state, state.communicator().noMessage("imRecv"));
            }
        } catch (CallError fault) {
            throw taken.comm().raise(state, fault);
        }
        return NonBlocking.receiveMatched(taken.comm(), state, taken.found(), buf, count, type);
    }

    /**
     * Begins a receive of the matched message: checks that this object has one and that the rank may make calls. The
     * message stays here until the arguments are checked.
     */
    private Match required(String call) {
        Match present;
        synchronized (this) {
            present = match;
        }
        if (present == null) {
            throw none(call);
        }
        Rank rank = Ranks.current(call);
        rank.enter(call);
        if (present.state().rank() != rank) {
            throw new MPIException(call + ": this message was matched at process "
                    + present.state().rank().runtime().id() + " but the calling thread works for process "
                    + rank.runtime().id());
        }
        return present;
    }

    private void take(String call, Match expected) {
        boolean isTaken;
        synchronized (this) {
            isTaken = match == expected;
            if (isTaken) {
                match = null;
            }
        }
        if (!isTaken) {
            throw expected.state()
                    .bad(ErrorClass.REQUEST, call, "another thread has received the message; allowed: one receive");
        }
    }

    private static MPIException none(String call) {
        return Exceptions.withoutCommunicator(
                call, MPI.ERR_REQUEST, "there is no message; allowed: once after mProbe or a successful imProbe");
    }
}
