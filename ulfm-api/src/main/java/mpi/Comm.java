package mpi;

import java.nio.Buffer;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.Map;
import org.ulfmj.runtime.Communicator;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.hint.ErrorHints;
import org.ulfmj.runtime.message.SendMode;

/**
 * A communicator: a group of ranks with a separate space of messages. MPI 3.1: chapters 3 (point to point), 5
 * (collectives) and 6 (communicators), section 8.3 (errors); what survives failures is User-Level Failure Mitigation of
 * the MPI Forum, whose functions are named as Open MPI does, with {@code MPIX}. Most methods name their MPI function.
 *
 * <p><b>Buffers.</b> A {@code buf} is a primitive array or a {@code java.nio} buffer, direct or not, of the datatype's
 * kind; a {@link java.nio.ByteBuffer} goes with every datatype. Communication starts at element 0: the buffer's
 * position and limit do not count ({@link MPI#slice(int[], int) MPI.slice} gives a buffer that starts elsewhere).
 * Counts and displacements are in items of the datatype. Where a count is 0 the buffer may be null.
 *
 * <p><b>Collectives.</b> Every rank calls them in the same order, with matching arguments. Arguments that only the root
 * uses may be anything, also null, at the others. Item i of a reduction's result is item i of all ranks combined, in an
 * order that depends only on the number of ranks and on which of them share a host, so that results repeat to the bit.
 * On an {@link Intercomm} each group gets the data of the other one; its description says what roots and counts are
 * there.
 *
 * <p><b>Errors.</b> Every call may raise an {@link MPIException}, or end the job, as the communicator's
 * {@link Errhandler} says: of class {@code ERR_ARG}, {@code ERR_BUFFER}, {@code ERR_COUNT}, {@code ERR_TYPE},
 * {@code ERR_RANK}, {@code ERR_ROOT}, {@code ERR_TAG}, {@code ERR_OP} or {@code ERR_GROUP} for an argument, which the
 * message names, {@link RevokedException} once the communicator is revoked, {@link ProcFailedException} when a failure
 * keeps the call from doing its work, {@code ERR_TRUNCATE} for a message longer than the receive buffer,
 * {@code ERR_COMM} for a communicator that is null.
 *
 * <p><b>Blocking.</b> Calls wait for live peers, never for peers that are known to have failed, and are not
 * interruptible: a thread interrupt stays pending until they return.
 *
 * <p><b>Threads.</b> Any thread may call anything at any time ({@link MPI#THREAD_MULTIPLE}); collective calls on one
 * communicator must be made in the same order at every rank. A communicator object other than {@link MPI#COMM_WORLD}
 * and {@link MPI#COMM_SELF} belongs to the rank that made it.
 */
public abstract class Comm implements Freeable, Cloneable {
    /** Type for {@code splitType}: ranks that share memory. */
    public static final int TYPE_SHARED = 0;

    Comm() {}

    /**
     * The state of this communicator at a rank; null for the null communicator. {@code rank} has an effect only if
     * {@link #isOfAnyRank}.
     */
    abstract CommState lookUp(Rank rank);

    /**
     * Begins a call: finds the rank of the calling thread, checks that the rank may make calls, and returns the
     * communicator's state at that rank.
     */
    final CommState enter(String operation) {
        Rank rank = Ranks.current(operation);
        rank.enter(operation);
        return stateAt(rank, operation);
    }

    /** The state of this communicator at a rank, which must be the rank that made the communicator. */
    private CommState stateAt(Rank rank, String operation) {
        CommState state = lookUp(rank);
        if (state == null || state.isFreed()) {
            throw raise(rank.self(), Arguments.ofNullCommunicator(operation));
        }
        if (state.rank() != rank) {
            throw new MPIException(operation + ": this communicator was made by process "
                    + state.rank().runtime().id() + " but the calling thread works for process "
                    + rank.runtime().id());
        }
        return state;
    }

    /** The exception to throw for a fault. Does not return in a process if the error handler ends the job. */
    final MPIException raise(CommState state, CallError fault) {
        return Exceptions.of(this, state, fault);
    }

    /** Makes an object of this class for a new communicator. */
    abstract Comm wrap(CommState made);

    // Queries

    /**
     * The number of ranks, failed ones included; of an {@link Intercomm}, in the caller's group. Local.
     *
     * <p>{@code MPI_Comm_size}, MPI 3.1 section 6.4.1.
     */
    public final int getSize() {
        return enter("getSize").communicator().size();
    }

    /**
     * The caller's rank, from 0; in an {@link Intercomm}, in its group. Local.
     *
     * <p>{@code MPI_Comm_rank}, MPI 3.1 section 6.4.1.
     */
    public final int getRank() {
        return enter("getRank").communicator().rank();
    }

    /**
     * The members, in rank order; of an {@link Intercomm}, those of the caller's group. Local.
     *
     * <p>{@code MPI_Comm_group}, MPI 3.1 section 6.3.2.
     */
    public final Group getGroup() {
        return new Group(ProcessList.ofMembers(enter("getGroup").communicator()));
    }

    private static Group groupOf(Communicator communicator, int[] ranks) {
        return new Group(ProcessList.ofRanks(communicator, ranks));
    }

    /**
     * Whether this communicator is null: it was freed, or {@code split} or {@code create} left this rank out, or the
     * request that makes it is not complete or has failed. Local.
     */
    public final boolean isNull() {
        return !isOfAnyRank() && (lookUp(null) == null || lookUp(null).isFreed());
    }

    /** Whether this object stands for a different communicator at each rank. Such an object is never null. */
    boolean isOfAnyRank() {
        return false;
    }

    /**
     * Compares two communicators. Local.
     *
     * <p>{@code MPI_Comm_compare}, MPI 3.1 section 6.4.1.
     *
     * @return {@link MPI#IDENT} for the same one, {@link MPI#CONGRUENT} for the same members in the same order,
     *     {@link MPI#SIMILAR} for the same members in another order, else {@link MPI#UNEQUAL}; of two
     *     inter-communicators both groups count, and an inter-communicator is never like another communicator
     */
    public static int compare(Comm comm1, Comm comm2) {
        if (comm1 == null || comm2 == null) {
            String argument = comm1 == null ? "comm1" : "comm2";
            throw Exceptions.withoutCommunicator(
                    "compare", MPI.ERR_COMM, argument + " is null; allowed: a communicator");
        }
        CommState state = comm1.enter("compare");
        Communicator one = state.communicator();
        Communicator other = comm2.stateAt(state.rank(), "compare").communicator();
        if (one.id() == other.id()) {
            return MPI.IDENT;
        }
        if (one.isInter() != other.isInter()) {
            return MPI.UNEQUAL;
        }
        int groups = ProcessList.ofMembers(one).compare(ProcessList.ofMembers(other));
        if (one.isInter() && groups != MPI.UNEQUAL) {
            int remote = ProcessList.ofRemote(one).compare(ProcessList.ofRemote(other));
            groups = remote == MPI.IDENT ? groups : remote;
        }
        return groups == MPI.IDENT ? MPI.CONGRUENT : groups;
    }

    /**
     * Names the communicator, at the calling rank only, for the reader of messages. Local.
     *
     * <p>{@code MPI_Comm_set_name}, MPI 3.1 section 6.8.
     *
     * @param name the name; at most its first {@link MPI#MAX_OBJECT_NAME} characters are kept
     */
    public final void setName(String name) {
        CommState state = enter("setName");
        try {
            Arguments.notNull(state, "setName", "name", name, "a string");
        } catch (CallError fault) {
            throw raise(state, fault);
        }
        state.name(name);
    }

    /**
     * The name given by {@link #setName}; "MPI_COMM_WORLD" and "MPI_COMM_SELF" at first for these, else empty.
     *
     * <p>{@code MPI_Comm_get_name}, MPI 3.1 section 6.8.
     */
    public final String getName() {
        return enter("getName").name();
    }

    /**
     * A text such as {@code COMM_WORLD, rank 1 of 4}, with the communicator's name if it was given one; {@code null
     * communicator} for one that is null, or not made yet, and for {@link MPI#COMM_WORLD} and {@link MPI#COMM_SELF} on
     * a thread that has no rank. Never raises an error, from any thread.
     */
    @Override
    public final String toString() {
        Rank rank = isOfAnyRank() ? Ranks.currentOrNull() : null;
        CommState state = isOfAnyRank() && rank == null ? null : lookUp(rank);
        return state == null || state.isFreed() ? "null communicator" : state.toString();
    }

    /**
     * The request of the non-blocking call that makes this communicator, which can be used once the request is
     * complete: {@link MPI#REQUEST_NULL} for communicators made by blocking calls. Local.
     */
    public final Request getRequest() {
        Request making = making();
        if (making == null) {
            enter("getRequest");
            return MPI.REQUEST_NULL;
        }
        return making;
    }

    /** The request of the non-blocking call that makes this communicator; null if a blocking call made it. */
    Request making() {
        return null;
    }

    // Hints and attributes

    /**
     * Adds hints to those of this communicator; a key that has a value gets the new one. All members call this and wait
     * for each other in an agreement, which failures and revocation do not stop: in it they compare the values of two
     * keys, which change what a failure does. Other hints may differ between members.
     *
     * <ul>
     *   <li>{@code mpi_error_range}: {@code local} (at first), {@code group} or {@code universe}. With {@code group},
     *       the failure of any member revokes this communicator; with {@code universe} the failure of any process does,
     *       once the rank is told of it. {@link #isRevoked} is true then, and operations raise
     *       {@link RevokedException}.
     *   <li>{@code mpi_error_uniform}: {@code local} (at first), {@code coll} or {@code create}. With {@code coll},
     *       each collective operation of this communicator succeeds at all members that live, or raises an error at
     *       all; with {@code create} only those that make communicators. Such an operation ends with an agreement, and
     *       so it waits for all members, and {@link Intracomm#createGroup} for those of its group. Of
     *       {@link #createIntercomm} only the caller's group ends alike; if it fails there, the other group's
     *       communicator is revoked. Bad arguments are raised at once, at the ranks that have them.
     * </ul>
     *
     * <p>Without fault tolerance these two have no effect. {@link #dup} hands them down, as all hints; {@link #shrink},
     * {@code split} and other calls do not, nor has COMM_WORLD them after {@link Intracomm#replace}.
     *
     * <p>{@code MPI_Comm_set_info}, MPI 3.1 section 6.4.4.
     *
     * @throws MPIException of class {@code ERR_INFO} if {@code info} is null, {@link MPI#INFO_NULL} or was freed; of
     *     class {@code ERR_INFO_VALUE}, at all members alike and with nothing set, if a value of these two keys is not
     *     allowed, differs between members or is given by some of them only
     */
    public final void setInfo(Info info) {
        CommState state = enter("setInfo");
        try {
            if (info == null || info.isNull()) {
                throw state.bad(
                        ErrorClass.INFO,
                        "setInfo",
                        "info is " + (info == null ? "null" : "MPI.INFO_NULL or was freed") + "; allowed: new Info()");
            }
            Map<String, String> more = info.entries("setInfo");
            state.communicator().creation().setErrorHints(ErrorHints.of(more));
            state.addHints(more);
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * Returns a new object with the hints of this communicator: what it got as a duplicate of another one, and what
     * {@link #setInfo} added. Local.
     *
     * <p>{@code MPI_Comm_get_info}, MPI 3.1 section 6.4.4.
     */
    public final Info getInfo() {
        return Info.of(enter("getInfo").hints());
    }

    /**
     * Makes a key for attributes of communicators. A duplicate of a communicator gets the same value by reference, and
     * nothing is done when a value is deleted. The key is of the calling rank. Local.
     *
     * <p>{@code MPI_Comm_create_keyval}, MPI 3.1 section 6.7.2, with {@code MPI_COMM_DUP_FN} and
     * {@code MPI_COMM_NULL_DELETE_FN}.
     */
    public static int createKeyval() {
        return createKeyval((comm, keyval, value) -> value, (comm, keyval, value) -> {});
    }

    /**
     * As {@link #createKeyval()} with functions of the program, which say what becomes of a value when a communicator
     * is duplicated, and what is to be done when a communicator loses a value. Local.
     *
     * <p>{@code MPI_Comm_create_keyval}, MPI 3.1 section 6.7.2.
     *
     * @throws MPIException of class {@code ERR_ARG} if a function is null
     */
    public static int createKeyval(AttributeCopy<Comm> copy, AttributeDelete<Comm> delete) {
        return Keyvals.make(CommAttributes.KIND, copy, delete);
    }

    /**
     * Gives a key back: no value can be set with it any more. Communicators that have a value for it keep the value,
     * and its functions still count, until the value is deleted. Local.
     *
     * <p>{@code MPI_Comm_free_keyval}, MPI 3.1 section 6.7.2.
     *
     * @throws MPIException of class {@code ERR_KEYVAL} if there is no such key for communicators
     */
    public static void freeKeyval(int keyval) {
        Keyvals.release(CommAttributes.KIND, keyval);
    }

    /**
     * Keeps a value with this communicator, by reference, at the calling rank. A value that the key had here is deleted
     * first. Local.
     *
     * <p>{@code MPI_Comm_set_attr}, MPI 3.1 section 6.7.2.
     *
     * @throws MPIException of class {@code ERR_KEYVAL} if there is no such key for communicators, or it is predefined
     */
    public final void setAttr(int keyval, Object value) {
        CommState state = enter("setAttr");
        try {
            CommAttributes.set(this, state, keyval, value);
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * Returns the value that was set for a key; null if there is none. {@link MPI#COMM_WORLD} and its duplicates have
     * values for {@link MPI#TAG_UB}, {@link MPI#HOST}, {@link MPI#IO}, {@link MPI#APPNUM}, {@link MPI#LASTUSEDCODE} and
     * {@link MPI#UNIVERSE_SIZE}, each an {@link Integer}, and for {@link MPI#WTIME_IS_GLOBAL}, a {@link Boolean}.
     * Local.
     *
     * <p>{@code MPI_Comm_get_attr}, MPI 3.1 section 6.7.2.
     *
     * @throws MPIException of class {@code ERR_KEYVAL} if there is no such key for communicators
     */
    public final Object getAttr(int keyval) {
        CommState state = enter("getAttr");
        try {
            return CommAttributes.get(state, keyval);
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * Deletes the value of a key. Local.
     *
     * <p>{@code MPI_Comm_delete_attr}, MPI 3.1 section 6.7.2.
     *
     * @throws MPIException of class {@code ERR_KEYVAL} if there is no such key for communicators, or it has no value
     *     here, or is predefined
     */
    public final void deleteAttr(int keyval) {
        CommState state = enter("deleteAttr");
        try {
            CommAttributes.delete(this, state, keyval);
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    // Error handling

    /**
     * Sets the error handler of this communicator, which decides what a failed call on it does. Local: the error
     * handlers of other ranks do not change.
     *
     * <p>{@code MPI_Comm_set_errhandler}, MPI 3.1 section 8.3.1.
     */
    public final void setErrhandler(Errhandler errhandler) {
        CommState state = enter("setErrhandler");
        try {
            Arguments.notNull(
                    state, "setErrhandler", "errhandler", errhandler, "an error handler such as MPI.ERRORS_RETURN");
        } catch (CallError fault) {
            throw raise(state, fault);
        }
        state.errhandler(errhandler);
    }

    /**
     * The error handler of this communicator, which decides what a failed call on it does. Local.
     *
     * <p>{@code MPI_Comm_get_errhandler}, MPI 3.1 section 8.3.1.
     */
    public final Errhandler getErrhandler() {
        return enter("getErrhandler").errhandler();
    }

    /**
     * Does what the error handler does for an error of this class: nothing for {@link MPI#ERRORS_RETURN}, which leaves
     * it to the caller; {@link MPI#ERRORS_ARE_FATAL} and {@link MPI#ERRORS_ABORT} end the job; a handler of the program
     * is called.
     *
     * <p>{@code MPI_Comm_call_errhandler}, MPI 3.1 section 8.5.
     */
    public final void callErrhandler(int error) {
        CommState state = enter("callErrhandler");
        Exceptions.handle(
                state.rank(), state.errhandler(), this, new MPIException(error, "the program reported error " + error));
    }

    /**
     * Makes an error handler of a function, for {@link #setErrhandler}: the function is called first, then the call
     * that failed throws its exception as with {@link MPI#ERRORS_RETURN}. Local; may be called before {@code Init}.
     *
     * <p>{@code MPI_Comm_create_errhandler}, MPI 3.1 section 8.3.1.
     */
    public static Errhandler createErrhandler(ErrhandlerFunction function) {
        if (function == null) {
            throw Exceptions.withoutCommunicator(
                    "createErrhandler", MPI.ERR_ARG, "function is null; allowed: a function");
        }
        return new Errhandler(function);
    }

    /**
     * Ends the job: every process of it is killed and {@code mpiexec} ends with this code (of which systems keep the
     * lowest 8 bits; 0 counts as 1). The call does not return in a process. Where ranks are threads, the next call at
     * the latest throws the rank's death.
     *
     * <p>{@code MPI_Abort}, MPI 3.1 section 8.7.
     */
    public final void abort(int error) {
        CommState state = enter("abort");
        try {
            state.rank().runtime().abort(error);
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    // Point to point

    /**
     * Sends {@code count} items. Returns when the buffer may be changed again, which may be before the message is
     * received.
     *
     * <p>{@code MPI_Send}, MPI 3.1 section 3.2.1.
     *
     * @param dest rank of the receiver, or {@link MPI#PROC_NULL} for no rank
     * @param tag from 0
     */
    public final void send(Object buf, int count, Datatype type, int dest, int tag) {
        send("send", buf, count, type, dest, tag, SendMode.STANDARD);
    }

    /**
     * As {@link #send}, but returns only after the receive has started.
     *
     * <p>{@code MPI_Ssend}, MPI 3.1 section 3.4.
     */
    public final void sSend(Object buf, int count, Datatype type, int dest, int tag) {
        send("sSend", buf, count, type, dest, tag, SendMode.SYNCHRONOUS);
    }

    /**
     * As {@link #send}, with the promise that the receive was posted already.
     *
     * <p>{@code MPI_Rsend}, MPI 3.1 section 3.4.
     */
    public final void rSend(Object buf, int count, Datatype type, int dest, int tag) {
        send("rSend", buf, count, type, dest, tag, SendMode.READY);
    }

    /**
     * As {@link #send}, but returns without waiting for the receiver: what has not left is copied, and occupies the
     * buffer that {@link MPI#attachBuffer} gave, with its bytes and {@link MPI#BSEND_OVERHEAD} more, until it has left.
     *
     * <p>{@code MPI_Bsend}, MPI 3.1 section 3.4.
     *
     * @throws MPIException of class {@code ERR_BUFFER} if no buffer is attached, or it has no room for the message
     */
    public final void bSend(Object buf, int count, Datatype type, int dest, int tag) {
        CommState state = enter("bSend");
        try {
            PointToPoint.sendBuffered(state, "bSend", buf, count, type, dest, tag);
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    private void send(String operation, Object buf, int count, Datatype type, int dest, int tag, SendMode mode) {
        CommState state = enter(operation);
        try {
            PointToPoint.send(state, operation, buf, count, type, dest, tag, mode);
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * Receives a message of at most {@code count} items and waits for it. A longer message raises {@code ERR_TRUNCATE}.
     *
     * <p>{@code MPI_Recv}, MPI 3.1 section 3.2.4.
     *
     * @param source rank of the sender, {@link MPI#ANY_SOURCE}, or {@link MPI#PROC_NULL} for a message of nothing from
     *     no rank
     * @param tag of the message, or {@link MPI#ANY_TAG}
     * @return the sender, the tag and the length of the message
     * @throws ProcFailedException if the sender has failed and no message of it is left; for {@link MPI#ANY_SOURCE}, if
     *     no matching message is there and the failure of a member is not acknowledged ({@link #ackFailed()})
     */
    public final Status recv(Object buf, int count, Datatype type, int source, int tag) {
        CommState state = enter("recv");
        try {
            return PointToPoint.receive(state, "recv", buf, count, type, source, tag);
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * Sends and receives at once, so that ranks in a ring do not wait for each other. When it throws, both halves have
     * ended. The same array may be given for both: the content that it has at the call is sent. Buffers must not
     * overlap; the same {@code java.nio} buffer for both raises {@code ERR_BUFFER} if both counts are above 0, neither
     * rank is {@link MPI#PROC_NULL} and neither type has gaps.
     *
     * <p>{@code MPI_Sendrecv}, MPI 3.1 section 3.10.
     *
     * @return the sender, the tag and the length of the received message
     */
    public final Status sendRecv(
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            int dest,
            int sendtag,
            Object recvbuf,
            int recvcount,
            Datatype recvtype,
            int source,
            int recvtag) {
        CommState state = enter("sendRecv");
        try {
            Spans spans = Spans.take();
            spans.sent.set(sendbuf, sendcount, sendtype, dest, sendtag);
            spans.received.set(recvbuf, recvcount, recvtype, source, recvtag);
            return PointToPoint.sendReceive(state, "sendRecv", spans);
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * As {@link #sendRecv} with one buffer, whose content is sent and then replaced by what is received.
     *
     * <p>{@code MPI_Sendrecv_replace}, MPI 3.1 section 3.10.
     */
    public final Status sendRecvReplace(
            Object buf, int count, Datatype type, int dest, int sendtag, int source, int recvtag) {
        CommState state = enter("sendRecvReplace");
        try {
            Spans spans = Spans.take();
            spans.sent.set(buf, count, type, dest, sendtag);
            spans.received.set(buf, count, type, source, recvtag);
            return PointToPoint.sendReceiveReplace(state, "sendRecvReplace", spans);
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * Waits until a message that {@link #recv} with this source and tag would take is there, and leaves it there.
     *
     * <p>{@code MPI_Probe}, MPI 3.1 section 3.8.1.
     */
    public final Status probe(int source, int tag) {
        CommState state = enter("probe");
        try {
            return PointToPoint.probe(state, source, tag);
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * As {@link #probe} without waiting: null if no such message is there now.
     *
     * <p>{@code MPI_Iprobe}, MPI 3.1 section 3.8.1.
     */
    public final Status iProbe(int source, int tag) {
        CommState state = enter("iProbe");
        try {
            return PointToPoint.tryProbe(state, source, tag);
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * Starts a send and returns at once. The request is complete when the buffer may be changed again. A failure or a
     * revocation is not raised here, but by the call that completes the request.
     *
     * <p>{@code MPI_Isend}, MPI 3.1 section 3.7.2.
     *
     * @param buf a direct or heap buffer of the type's kind, or a {@link java.nio.ByteBuffer}
     * @throws IllegalArgumentException if {@code count} is above 0 and {@code buf} is null or no such buffer
     */
    public final Request iSend(Buffer buf, int count, Datatype type, int dest, int tag) {
        return NonBlocking.send(this, enter("iSend"), "iSend", buf, count, type, dest, tag, SendMode.STANDARD);
    }

    /**
     * As {@link #iSend}; the request is complete at once, as {@link #bSend} is over at once.
     *
     * <p>{@code MPI_Ibsend}, MPI 3.1 section 3.7.2.
     *
     * @throws MPIException of class {@code ERR_BUFFER} if no buffer is attached, or it has no room for the message
     */
    public final Request ibSend(Buffer buf, int count, Datatype type, int dest, int tag) {
        return NonBlocking.sendBuffered(this, enter("ibSend"), buf, count, type, dest, tag);
    }

    /**
     * As {@link #iSend}; the request is complete only after the receive has started.
     *
     * <p>{@code MPI_Issend}, MPI 3.1 section 3.7.2.
     */
    public final Request isSend(Buffer buf, int count, Datatype type, int dest, int tag) {
        return NonBlocking.send(this, enter("isSend"), "isSend", buf, count, type, dest, tag, SendMode.SYNCHRONOUS);
    }

    /**
     * As {@link #iSend}, with the promise that the receive was posted already.
     *
     * <p>{@code MPI_Irsend}, MPI 3.1 section 3.7.2.
     */
    public final Request irSend(Buffer buf, int count, Datatype type, int dest, int tag) {
        return NonBlocking.send(this, enter("irSend"), "irSend", buf, count, type, dest, tag, SendMode.READY);
    }

    /**
     * Starts a receive and returns at once. The request is complete when the message is in the buffer. A failure or a
     * revocation is not raised here, but by the call that completes the request.
     *
     * <p>{@code MPI_Irecv}, MPI 3.1 section 3.7.2.
     *
     * @param buf a direct or heap buffer of the type's kind, or a {@link java.nio.ByteBuffer}
     * @throws IllegalArgumentException if {@code count} is above 0 and {@code buf} is null, no such buffer, or
     *     read-only
     */
    public final Request iRecv(Buffer buf, int count, Datatype type, int source, int tag) {
        return NonBlocking.receive(this, enter("iRecv"), buf, count, type, source, tag);
    }

    /**
     * A send to be started by {@link Prequest#start}, again and again. Each start sends the items that the buffer then
     * holds. Local.
     *
     * <p>{@code MPI_Send_init}, MPI 3.1 section 3.9.
     *
     * @param buf a direct or heap buffer of the type's kind, or a {@link java.nio.ByteBuffer}
     * @throws IllegalArgumentException if {@code count} is above 0 and {@code buf} is null or no such buffer
     */
    public final Prequest sendInit(Buffer buf, int count, Datatype type, int dest, int tag) {
        return NonBlocking.persistentSend(
                this, enter("sendInit"), "sendInit", buf, count, type, dest, tag, SendMode.STANDARD);
    }

    /**
     * As {@link #sendInit}; the request is over as soon as it is started, as {@link #bSend} is. The attached buffer
     * counts when it is started: {@link Prequest#start} raises {@code ERR_BUFFER} if there is none, or it has no room.
     *
     * <p>{@code MPI_Bsend_init}, MPI 3.1 section 3.9.
     */
    public final Prequest bSendInit(Buffer buf, int count, Datatype type, int dest, int tag) {
        return NonBlocking.persistentSend(
                this, enter("bSendInit"), "bSendInit", buf, count, type, dest, tag, SendMode.BUFFERED);
    }

    /**
     * As {@link #sendInit}; the request is over only after the receive has started.
     *
     * <p>{@code MPI_Ssend_init}, MPI 3.1 section 3.9.
     */
    public final Prequest sSendInit(Buffer buf, int count, Datatype type, int dest, int tag) {
        return NonBlocking.persistentSend(
                this, enter("sSendInit"), "sSendInit", buf, count, type, dest, tag, SendMode.SYNCHRONOUS);
    }

    /**
     * As {@link #sendInit}, with the promise that each start finds the receive posted already.
     *
     * <p>{@code MPI_Rsend_init}, MPI 3.1 section 3.9.
     */
    public final Prequest rSendInit(Buffer buf, int count, Datatype type, int dest, int tag) {
        return NonBlocking.persistentSend(
                this, enter("rSendInit"), "rSendInit", buf, count, type, dest, tag, SendMode.READY);
    }

    /**
     * A receive to be started by {@link Prequest#start}, again and again. Local.
     *
     * <p>{@code MPI_Recv_init}, MPI 3.1 section 3.9.
     *
     * @param buf a direct or heap buffer of the type's kind, or a {@link java.nio.ByteBuffer}
     * @throws IllegalArgumentException if {@code count} is above 0 and {@code buf} is null, no such buffer, or
     *     read-only
     */
    public final Prequest recvInit(Buffer buf, int count, Datatype type, int source, int tag) {
        return NonBlocking.persistentReceive(this, enter("recvInit"), buf, count, type, source, tag);
    }

    // Collectives

    /**
     * Returns when all ranks have entered; on an {@link Intercomm}, those of both groups.
     *
     * <p>{@code MPI_Barrier}, MPI 3.1 section 5.3.
     */
    public final void barrier() {
        CollectiveCalls.barrier(CallForm.BLOCKING, this);
    }

    /**
     * Copies the root's {@code count} items to all ranks; on an {@link Intercomm}, to those of the other group.
     *
     * <p>{@code MPI_Bcast}, MPI 3.1 section 5.4.
     */
    public final void bcast(Object buf, int count, Datatype type, int root) {
        CollectiveCalls.bcast(CallForm.BLOCKING, this, buf, count, type, root);
    }

    /**
     * Gathers every rank's {@code sendcount} items at the root, in rank order.
     *
     * <p>{@code MPI_Gather}, MPI 3.1 section 5.5.
     *
     * @param recvcount items from each rank
     */
    public final void gather(
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvcount,
            Datatype recvtype,
            int root) {
        CollectiveCalls.gather(
                CallForm.BLOCKING, this, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root);
    }

    /**
     * As {@link #gather(Object, int, Datatype, Object, int, Datatype, int)} with one buffer: at the root the buffer
     * receives, and holds the root's own items in their place already; at the other ranks the buffer is sent.
     *
     * <p>{@code MPI_Gather}, MPI 3.1 section 5.5.
     */
    public final void gather(Object buf, int count, Datatype type, int root) {
        CollectiveCalls.gather(CallForm.BLOCKING, this, buf, count, type, root);
    }

    /**
     * Gathers every rank's items at the root. The items of rank r go to {@code displs[r]}.
     *
     * <p>{@code MPI_Gatherv}, MPI 3.1 section 5.5.
     *
     * @param recvcount items from each rank
     * @param displs where they go, in items; no two parts may overlap
     * @throws MPIException of class {@link MPI#ERR_BUFFER} also if two parts overlap that are received; this holds for
     *     all collectives with displacements
     */
    public final void gatherv(
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype,
            int root) {
        CollectiveCalls.gatherv(
                CallForm.BLOCKING, this, sendbuf, sendcount, sendtype, recvbuf, recvcount, displs, recvtype, root);
    }

    /**
     * The form of gatherv for the root, whose own items are in their place in {@code recvbuf} already.
     *
     * <p>{@code MPI_Gatherv}, MPI 3.1 section 5.5.
     */
    public final void gatherv(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root) {
        CollectiveCalls.gatherv(CallForm.BLOCKING, this, recvbuf, recvcount, displs, recvtype, root);
    }

    /**
     * The form of gatherv for ranks other than the root.
     *
     * <p>{@code MPI_Gatherv}, MPI 3.1 section 5.5.
     */
    public final void gatherv(Object sendbuf, int sendcount, Datatype sendtype, int root) {
        CollectiveCalls.gatherv(CallForm.BLOCKING, this, sendbuf, sendcount, sendtype, root);
    }

    /**
     * Sends each rank its {@code sendcount} items of the root's buffer, which holds them in rank order.
     *
     * <p>{@code MPI_Scatter}, MPI 3.1 section 5.6.
     *
     * @param sendcount items to each rank
     */
    public final void scatter(
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvcount,
            Datatype recvtype,
            int root) {
        CollectiveCalls.scatter(
                CallForm.BLOCKING, this, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root);
    }

    /**
     * As {@link #scatter(Object, int, Datatype, Object, int, Datatype, int)} with one buffer: at the root the buffer is
     * sent, and the root's own items stay where they are; at the other ranks the buffer receives.
     *
     * <p>{@code MPI_Scatter}, MPI 3.1 section 5.6.
     */
    public final void scatter(Object buf, int count, Datatype type, int root) {
        CollectiveCalls.scatter(CallForm.BLOCKING, this, buf, count, type, root);
    }

    /**
     * Sends each rank its items of the root's buffer, which holds the items for rank r at {@code displs[r]}.
     *
     * <p>{@code MPI_Scatterv}, MPI 3.1 section 5.6.
     *
     * @param sendcount items to each rank
     * @param displs where they are, in items
     */
    public final void scatterv(
            Object sendbuf,
            int[] sendcount,
            int[] displs,
            Datatype sendtype,
            Object recvbuf,
            int recvcount,
            Datatype recvtype,
            int root) {
        CollectiveCalls.scatterv(
                CallForm.BLOCKING, this, sendbuf, sendcount, displs, sendtype, recvbuf, recvcount, recvtype, root);
    }

    /**
     * The form of scatterv for the root, whose own items stay where they are.
     *
     * <p>{@code MPI_Scatterv}, MPI 3.1 section 5.6.
     */
    public final void scatterv(Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype, int root) {
        CollectiveCalls.scatterv(CallForm.BLOCKING, this, sendbuf, sendcount, displs, sendtype, root);
    }

    /**
     * The form of scatterv for ranks other than the root.
     *
     * <p>{@code MPI_Scatterv}, MPI 3.1 section 5.6.
     */
    public final void scatterv(Object recvbuf, int recvcount, Datatype recvtype, int root) {
        CollectiveCalls.scatterv(CallForm.BLOCKING, this, recvbuf, recvcount, recvtype, root);
    }

    /**
     * Gathers every rank's {@code sendcount} items at all ranks, in rank order.
     *
     * <p>{@code MPI_Allgather}, MPI 3.1 section 5.7.
     *
     * @param recvcount items from each rank
     */
    public final void allGather(
            Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int recvcount, Datatype recvtype) {
        CollectiveCalls.allGather(CallForm.BLOCKING, this, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /**
     * As {@link #allGather(Object, int, Datatype, Object, int, Datatype)} with one buffer, which holds this rank's own
     * items in their place already.
     *
     * <p>{@code MPI_Allgather}, MPI 3.1 section 5.7.
     */
    public final void allGather(Object buf, int count, Datatype type) {
        CollectiveCalls.allGather(CallForm.BLOCKING, this, buf, count, type);
    }

    /**
     * Gathers every rank's items at all ranks. The items of rank r go to {@code displs[r]}.
     *
     * <p>{@code MPI_Allgatherv}, MPI 3.1 section 5.7.
     *
     * @param recvcount items from each rank
     * @param displs where they go, in items; no two parts may overlap
     */
    public final void allGatherv(
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype) {
        CollectiveCalls.allGatherv(
                CallForm.BLOCKING, this, sendbuf, sendcount, sendtype, recvbuf, recvcount, displs, recvtype);
    }

    /**
     * As {@link #allGatherv(Object, int, Datatype, Object, int[], int[], Datatype)} with one buffer, which holds this
     * rank's own items in their place already.
     *
     * <p>{@code MPI_Allgatherv}, MPI 3.1 section 5.7.
     */
    public final void allGatherv(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype) {
        CollectiveCalls.allGatherv(CallForm.BLOCKING, this, recvbuf, recvcount, displs, recvtype);
    }

    /**
     * Sends part r of the send buffer to rank r, and receives part r of the receive buffer from rank r.
     *
     * <p>{@code MPI_Alltoall}, MPI 3.1 section 5.8.
     *
     * @param sendcount items to each rank
     * @param recvcount items from each rank
     */
    public final void allToAll(
            Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int recvcount, Datatype recvtype) {
        CollectiveCalls.allToAll(CallForm.BLOCKING, this, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /**
     * As {@link #allToAll} with parts of different lengths.
     *
     * <p>{@code MPI_Alltoallv}, MPI 3.1 section 5.8.
     *
     * @param sendcount items to each rank
     * @param sdispls where they are, in items
     * @param recvcount items from each rank
     * @param rdispls where they go, in items; no two parts may overlap
     */
    public final void allToAllv(
            Object sendbuf,
            int[] sendcount,
            int[] sdispls,
            Datatype sendtype,
            Object recvbuf,
            int[] recvcount,
            int[] rdispls,
            Datatype recvtype) {
        CollectiveCalls.allToAllv(
                CallForm.BLOCKING, this, sendbuf, sendcount, sdispls, sendtype, recvbuf, recvcount, rdispls, recvtype);
    }

    /**
     * As {@link #allToAllv}, with a datatype for each rank's part. Displacements are in bytes.
     *
     * <p>{@code MPI_Alltoallw}, MPI 3.1 section 5.8.
     *
     * @param rdispls where parts go, in bytes; no two parts may overlap
     * @throws MPIException of class {@link MPI#ERR_TYPE} also if a displacement in a typed array or buffer is not at an
     *     element
     */
    public final void allToAllw(
            Object sendbuf,
            int[] sendcount,
            int[] sdispls,
            Datatype[] sendtypes,
            Object recvbuf,
            int[] recvcount,
            int[] rdispls,
            Datatype[] recvtypes) {
        CollectiveCalls.allToAllw(
                CallForm.BLOCKING,
                this,
                sendbuf,
                sendcount,
                sdispls,
                sendtypes,
                recvbuf,
                recvcount,
                rdispls,
                recvtypes);
    }

    // Packing

    /**
     * Writes items of a type into an array as a message has them: their blocks one after the other, in native byte
     * order. Another rank may receive such bytes as the type itself. Local.
     *
     * <p>{@code MPI_Pack}, MPI 3.1 section 4.2.
     *
     * @param position the first byte of {@code outbuf} to write
     * @return the byte behind the last one that was written
     * @throws MPIException of class {@link MPI#ERR_TRUNCATE} if the items do not fit, {@link MPI#ERR_ARG} if
     *     {@code position} is not in the array, {@link MPI#ERR_BUFFER} if {@code outbuf} is null
     */
    public final int pack(Object inbuf, int incount, Datatype type, byte[] outbuf, int position) {
        return PackCalls.pack(this, inbuf, incount, type, outbuf, position);
    }

    /**
     * Takes items of a type from an array that {@link #pack} wrote, or that was received as {@link MPI#PACKED}. Local.
     *
     * <p>{@code MPI_Unpack}, MPI 3.1 section 4.2.
     *
     * @param position the first byte of {@code inbuf} to read
     * @return the byte behind the last one that was read
     * @throws MPIException of class {@link MPI#ERR_TRUNCATE} if the array ends before the items do, {@link MPI#ERR_ARG}
     *     if {@code position} is not in the array, {@link MPI#ERR_BUFFER} if {@code inbuf} is null
     */
    public final int unpack(byte[] inbuf, int position, Object outbuf, int outcount, Datatype type) {
        return PackCalls.unpack(this, inbuf, position, outbuf, outcount, type);
    }

    /**
     * Returns how many bytes {@link #pack} writes for {@code incount} items of a type: no more and no less. Local.
     *
     * <p>{@code MPI_Pack_size}, MPI 3.1 section 4.2.
     *
     * @throws MPIException of class {@link MPI#ERR_COUNT} if the bytes are more than an {@code int} counts
     */
    public final int packSize(int incount, Datatype type) {
        return PackCalls.packSize(this, incount, type);
    }

    // Neighbours

    /**
     * The kind of topology that this communicator has: {@link MPI#CART}, {@link MPI#GRAPH}, {@link MPI#DIST_GRAPH}, or
     * {@link MPI#UNDEFINED} if it has none. Local.
     *
     * <p>{@code MPI_Topo_test}, MPI 3.1 section 7.5.5.
     */
    public final int getTopology() {
        Topology topology = enter("getTopology").topology();
        return topology == null ? MPI.UNDEFINED : topology.kind();
    }

    /**
     * Sends the send buffer to each destination of this rank, and receives part i of the receive buffer from its source
     * i. In a grid, sources and destinations are both neighbours of each dimension in turn, first the lower one; where
     * there is none, the part of the buffer stays as it is. In a graph they are its edges in their order. A collective
     * of all ranks, blocking.
     *
     * <p>{@code MPI_Neighbor_allgather}, MPI 3.1 section 7.6.1.
     *
     * @param recvcount items from each source
     * @throws MPIException of class {@code ERR_TOPOLOGY} if this communicator has no topology, or a graph of the kind
     *     {@link MPI#GRAPH} that has another number of edges from one node to another than back
     */
    public final void neighborAllGather(
            Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int recvcount, Datatype recvtype) {
        NeighborCalls.allGather(CallForm.BLOCKING, this, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /**
     * As {@link #neighborAllGather} with parts of different lengths.
     *
     * <p>{@code MPI_Neighbor_allgatherv}, MPI 3.1 section 7.6.1.
     *
     * @param recvcount items from each source
     * @param displs where they go, in items; no two parts may overlap
     */
    public final void neighborAllGatherv(
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype) {
        NeighborCalls.allGatherv(
                CallForm.BLOCKING, this, sendbuf, sendcount, sendtype, recvbuf, recvcount, displs, recvtype);
    }

    /**
     * Sends part i of the send buffer to destination i, and receives part i of the receive buffer from source i.
     * {@link #neighborAllGather} says which ranks these are. In a grid, what a rank sends to its upper neighbour of a
     * dimension is what that one receives from its lower neighbour, also if the dimension has only one or two ranks and
     * both neighbours are the same. A collective of all ranks, blocking.
     *
     * <p>{@code MPI_Neighbor_alltoall}, MPI 3.1 section 7.6.2.
     *
     * @param sendcount items to each destination
     * @param recvcount items from each source
     * @throws MPIException of class {@code ERR_TOPOLOGY} as {@link #neighborAllGather} does
     */
    public final void neighborAllToAll(
            Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int recvcount, Datatype recvtype) {
        NeighborCalls.allToAll(CallForm.BLOCKING, this, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /**
     * As {@link #neighborAllToAll} with parts of different lengths.
     *
     * <p>{@code MPI_Neighbor_alltoallv}, MPI 3.1 section 7.6.2.
     *
     * @param sendcount items to each destination
     * @param sdispls where they are, in items
     * @param recvcount items from each source
     * @param rdispls where they go, in items; no two parts may overlap
     */
    public final void neighborAllToAllv(
            Object sendbuf,
            int[] sendcount,
            int[] sdispls,
            Datatype sendtype,
            Object recvbuf,
            int[] recvcount,
            int[] rdispls,
            Datatype recvtype) {
        NeighborCalls.allToAllv(
                CallForm.BLOCKING, this, sendbuf, sendcount, sdispls, sendtype, recvbuf, recvcount, rdispls, recvtype);
    }

    /**
     * Starts {@link #neighborAllGather} and returns at once; collective. The request is complete when the send buffer
     * may be changed again and the receive buffer holds the result. See {@link #iBarrier} for what all non-blocking
     * collectives have in common.
     *
     * <p>{@code MPI_Ineighbor_allgather}, MPI 3.1 section 7.7.1.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses for more than 0 items is null or of a kind that
     *     holds no items of the type, or read-only though it receives
     */
    public final Request iNeighborAllGather(
            Buffer sendbuf, int sendcount, Datatype sendtype, Buffer recvbuf, int recvcount, Datatype recvtype) {
        return NeighborCalls.allGather(
                CallForm.STARTED, this, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /**
     * Starts {@link #neighborAllGatherv} and returns at once; collective. The request is complete when the send buffer
     * may be changed again and the receive buffer holds the result. See {@link #iBarrier} for what all non-blocking
     * collectives have in common.
     *
     * <p>{@code MPI_Ineighbor_allgatherv}, MPI 3.1 section 7.7.1.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses for more than 0 items is null or of a kind that
     *     holds no items of the type, or read-only though it receives
     */
    public final Request iNeighborAllGatherv(
            Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            Buffer recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype) {
        return NeighborCalls.allGatherv(
                CallForm.STARTED, this, sendbuf, sendcount, sendtype, recvbuf, recvcount, displs, recvtype);
    }

    /**
     * Starts {@link #neighborAllToAll} and returns at once; collective. The request is complete when the send buffer
     * may be changed again and the receive buffer holds the result. See {@link #iBarrier} for what all non-blocking
     * collectives have in common.
     *
     * <p>{@code MPI_Ineighbor_alltoall}, MPI 3.1 section 7.7.2.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses for more than 0 items is null or of a kind that
     *     holds no items of the type, or read-only though it receives
     */
    public final Request iNeighborAllToAll(
            Buffer sendbuf, int sendcount, Datatype sendtype, Buffer recvbuf, int recvcount, Datatype recvtype) {
        return NeighborCalls.allToAll(
                CallForm.STARTED, this, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /**
     * Starts {@link #neighborAllToAllv} and returns at once; collective. The request is complete when the send buffer
     * may be changed again and the receive buffer holds the result. See {@link #iBarrier} for what all non-blocking
     * collectives have in common.
     *
     * <p>{@code MPI_Ineighbor_alltoallv}, MPI 3.1 section 7.7.2.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses for more than 0 items is null or of a kind that
     *     holds no items of the type, or read-only though it receives
     */
    public final Request iNeighborAllToAllv(
            Buffer sendbuf,
            int[] sendcount,
            int[] sdispls,
            Datatype sendtype,
            Buffer recvbuf,
            int[] recvcount,
            int[] rdispls,
            Datatype recvtype) {
        return NeighborCalls.allToAllv(
                CallForm.STARTED, this, sendbuf, sendcount, sdispls, sendtype, recvbuf, recvcount, rdispls, recvtype);
    }

    // Reductions

    /**
     * Combines the {@code count} items of all ranks. The root gets the result. Of a floating-point sum or product the
     * last bits depend on how many ranks there are and on which of them share a host.
     *
     * <p>{@code MPI_Reduce}, MPI 3.1 section 5.9.1.
     */
    public final void reduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op, int root) {
        ReductionCalls.reduce(CallForm.BLOCKING, this, sendbuf, recvbuf, count, type, op, root);
    }

    /**
     * As {@link #reduce(Object, Object, int, Datatype, Op, int)} with one buffer, which is sent and at the root
     * replaced by the result.
     *
     * <p>{@code MPI_Reduce}, MPI 3.1 section 5.9.1.
     */
    public final void reduce(Object buf, int count, Datatype type, Op op, int root) {
        ReductionCalls.reduce(CallForm.BLOCKING, this, buf, count, type, op, root);
    }

    /**
     * Combines the {@code count} items of all ranks. All ranks get the result that {@code reduce} gives, to the bit.
     *
     * <p>{@code MPI_Allreduce}, MPI 3.1 section 5.9.6.
     */
    public final void allReduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) {
        ReductionCalls.allReduce(CallForm.BLOCKING, this, sendbuf, recvbuf, count, type, op);
    }

    /**
     * As {@link #allReduce(Object, Object, int, Datatype, Op)} with one buffer, which is replaced by the result.
     *
     * <p>{@code MPI_Allreduce}, MPI 3.1 section 5.9.6.
     */
    public final void allReduce(Object buf, int count, Datatype type, Op op) {
        ReductionCalls.allReduce(CallForm.BLOCKING, this, Reductions.IN_PLACE, buf, count, type, op);
    }

    /**
     * Combines the items of all ranks. Rank r gets part r of the result.
     *
     * <p>{@code MPI_Reduce_scatter}, MPI 3.1 section 5.10.2.
     *
     * @param recvcounts items of each part; the send buffer holds their sum
     */
    public final void reduceScatter(Object sendbuf, Object recvbuf, int[] recvcounts, Datatype type, Op op) {
        ReductionCalls.reduceScatter(CallForm.BLOCKING, this, sendbuf, recvbuf, recvcounts, type, op);
    }

    /**
     * As {@link #reduceScatter(Object, Object, int[], Datatype, Op)} with one buffer. This rank's part of the result
     * goes to its beginning.
     *
     * <p>{@code MPI_Reduce_scatter}, MPI 3.1 section 5.10.2.
     */
    public final void reduceScatter(Object buf, int[] recvcounts, Datatype type, Op op) {
        ReductionCalls.reduceScatter(CallForm.BLOCKING, this, Reductions.IN_PLACE, buf, recvcounts, type, op);
    }

    /**
     * Combines the items of all ranks. Rank r gets part r of the result, {@code recvcount} items.
     *
     * <p>{@code MPI_Reduce_scatter_block}, MPI 3.1 section 5.10.1.
     *
     * @param recvcount items of each part; the send buffer holds as many for each rank
     */
    public final void reduceScatterBlock(Object sendbuf, Object recvbuf, int recvcount, Datatype type, Op op) {
        ReductionCalls.reduceScatterBlock(CallForm.BLOCKING, this, sendbuf, recvbuf, recvcount, type, op);
    }

    /**
     * As {@link #reduceScatterBlock(Object, Object, int, Datatype, Op)} with one buffer. This rank's part of the result
     * goes to its beginning.
     *
     * <p>{@code MPI_Reduce_scatter_block}, MPI 3.1 section 5.10.1.
     */
    public final void reduceScatterBlock(Object buf, int recvcount, Datatype type, Op op) {
        ReductionCalls.reduceScatterBlock(CallForm.BLOCKING, this, Reductions.IN_PLACE, buf, recvcount, type, op);
    }

    /**
     * Combines two buffers of this rank: {@code inoutbuf[i] = inbuf[i] op inoutbuf[i]}. Local. Errors are handled by
     * {@link MPI#COMM_SELF}'s error handler.
     *
     * <p>{@code MPI_Reduce_local}, MPI 3.1 section 5.9.7.
     */
    public static void reduceLocal(Object inbuf, Object inoutbuf, int count, Datatype type, Op op) {
        ReductionCalls.reduceLocal(inbuf, inoutbuf, count, type, op);
    }

    // Non-blocking collectives

    /**
     * Starts a barrier and returns at once; collective. The request is complete when all ranks have called this method.
     *
     * <p><b>Non-blocking collectives</b> (MPI 3.1 section 5.12). All members start their collectives of a communicator,
     * blocking and non-blocking, in the same order; a non-blocking one never matches a blocking one. Any number of them
     * may be under way, also beside blocking ones and those of other communicators, and they may be completed in any
     * order, by every method of {@link Request} that waits or tests. They go on while the program computes. Until a
     * request is complete its buffers belong to the operation.
     *
     * <p>Buffers are direct or heap buffers of the type's kind, or a {@link java.nio.ByteBuffer}; their position and
     * limit do not count. The results are those of the blocking form, to the bit. A bad argument is raised at once; a
     * failure or a revocation is raised by the call that completes the request, as {@link ProcFailedException} or
     * {@link RevokedException}, with the rules of the blocking form. Such a request can be neither cancelled nor,
     * before it has failed, freed: {@code ERR_REQUEST}.
     *
     * <p>{@code MPI_Ibarrier}, MPI 3.1 section 5.12.1.
     */
    public final Request iBarrier() {
        return CollectiveCalls.barrier(CallForm.STARTED, this);
    }

    /**
     * Starts {@link #bcast} and returns at once; collective. The request is complete when the root's items may be
     * changed again or, at the other ranks, are in the buffer. See {@link #iBarrier} for what all non-blocking
     * collectives have in common.
     *
     * <p>{@code MPI_Ibcast}, MPI 3.1 section 5.12.2.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses for more than 0 items is null or of a kind that
     *     holds no items of the type, or read-only though it receives
     */
    public final Request iBcast(Buffer buf, int count, Datatype type, int root) {
        return CollectiveCalls.bcast(CallForm.STARTED, this, buf, count, type, root);
    }

    /**
     * Starts {@link #gather(Object, int, Datatype, Object, int, Datatype, int)} and returns at once; collective. The
     * request is complete when the send buffer may be changed again and the receive buffer holds the result. See
     * {@link #iBarrier} for what all non-blocking collectives have in common.
     *
     * <p>{@code MPI_Igather}, MPI 3.1 section 5.12.3.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses for more than 0 items is null or of a kind that
     *     holds no items of the type, or read-only though it receives
     */
    public final Request iGather(
            Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            Buffer recvbuf,
            int recvcount,
            Datatype recvtype,
            int root) {
        return CollectiveCalls.gather(
                CallForm.STARTED, this, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root);
    }

    /**
     * Starts {@link #gather(Object, int, Datatype, int)} and returns at once; collective. The request is complete when
     * the buffer holds the result or, at a rank that only sends, may be changed again. See {@link #iBarrier} for what
     * all non-blocking collectives have in common.
     *
     * <p>{@code MPI_Igather}, MPI 3.1 section 5.12.3.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses for more than 0 items is null or of a kind that
     *     holds no items of the type, or read-only though it receives
     */
    public final Request iGather(Buffer buf, int count, Datatype type, int root) {
        return CollectiveCalls.gather(CallForm.STARTED, this, buf, count, type, root);
    }

    /**
     * Starts {@link #gatherv(Object, int, Datatype, Object, int[], int[], Datatype, int)} and returns at once;
     * collective. The request is complete when the send buffer may be changed again and the receive buffer holds the
     * result. See {@link #iBarrier} for what all non-blocking collectives have in common.
     *
     * <p>{@code MPI_Igatherv}, MPI 3.1 section 5.12.3.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses for more than 0 items is null or of a kind that
     *     holds no items of the type, or read-only though it receives
     */
    public final Request iGatherv(
            Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            Buffer recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype,
            int root) {
        return CollectiveCalls.gatherv(
                CallForm.STARTED, this, sendbuf, sendcount, sendtype, recvbuf, recvcount, displs, recvtype, root);
    }

    /**
     * Starts {@link #gatherv(Object, int[], int[], Datatype, int)} and returns at once; collective. The request is
     * complete when the buffer holds the result. See {@link #iBarrier} for what all non-blocking collectives have in
     * common.
     *
     * <p>{@code MPI_Igatherv}, MPI 3.1 section 5.12.3.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses for more than 0 items is null or of a kind that
     *     holds no items of the type, or read-only though it receives
     */
    public final Request iGatherv(Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root) {
        return CollectiveCalls.gatherv(CallForm.STARTED, this, recvbuf, recvcount, displs, recvtype, root);
    }

    /**
     * Starts {@link #gatherv(Object, int, Datatype, int)} and returns at once; collective. The request is complete when
     * the buffer may be changed again. See {@link #iBarrier} for what all non-blocking collectives have in common.
     *
     * <p>{@code MPI_Igatherv}, MPI 3.1 section 5.12.3.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses for more than 0 items is null or of a kind that
     *     holds no items of the type, or read-only though it receives
     */
    public final Request iGatherv(Buffer sendbuf, int sendcount, Datatype sendtype, int root) {
        return CollectiveCalls.gatherv(CallForm.STARTED, this, sendbuf, sendcount, sendtype, root);
    }

    /**
     * Starts {@link #scatter(Object, int, Datatype, Object, int, Datatype, int)} and returns at once; collective. The
     * request is complete when the send buffer may be changed again and the receive buffer holds the result. See
     * {@link #iBarrier} for what all non-blocking collectives have in common.
     *
     * <p>{@code MPI_Iscatter}, MPI 3.1 section 5.12.4.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses for more than 0 items is null or of a kind that
     *     holds no items of the type, or read-only though it receives
     */
    public final Request iScatter(
            Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            Buffer recvbuf,
            int recvcount,
            Datatype recvtype,
            int root) {
        return CollectiveCalls.scatter(
                CallForm.STARTED, this, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root);
    }

    /**
     * Starts {@link #scatter(Object, int, Datatype, int)} and returns at once; collective. The request is complete when
     * the buffer holds the result or, at a rank that only sends, may be changed again. See {@link #iBarrier} for what
     * all non-blocking collectives have in common.
     *
     * <p>{@code MPI_Iscatter}, MPI 3.1 section 5.12.4.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses for more than 0 items is null or of a kind that
     *     holds no items of the type, or read-only though it receives
     */
    public final Request iScatter(Buffer buf, int count, Datatype type, int root) {
        return CollectiveCalls.scatter(CallForm.STARTED, this, buf, count, type, root);
    }

    /**
     * Starts {@link #scatterv(Object, int[], int[], Datatype, Object, int, Datatype, int)} and returns at once;
     * collective. The request is complete when the send buffer may be changed again and the receive buffer holds the
     * result. See {@link #iBarrier} for what all non-blocking collectives have in common.
     *
     * <p>{@code MPI_Iscatterv}, MPI 3.1 section 5.12.4.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses for more than 0 items is null or of a kind that
     *     holds no items of the type, or read-only though it receives
     */
    public final Request iScatterv(
            Buffer sendbuf,
            int[] sendcount,
            int[] displs,
            Datatype sendtype,
            Buffer recvbuf,
            int recvcount,
            Datatype recvtype,
            int root) {
        return CollectiveCalls.scatterv(
                CallForm.STARTED, this, sendbuf, sendcount, displs, sendtype, recvbuf, recvcount, recvtype, root);
    }

    /**
     * Starts {@link #scatterv(Object, int[], int[], Datatype, int)} and returns at once; collective. The request is
     * complete when the buffer may be changed again. See {@link #iBarrier} for what all non-blocking collectives have
     * in common.
     *
     * <p>{@code MPI_Iscatterv}, MPI 3.1 section 5.12.4.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses for more than 0 items is null or of a kind that
     *     holds no items of the type, or read-only though it receives
     */
    public final Request iScatterv(Buffer sendbuf, int[] sendcount, int[] displs, Datatype sendtype, int root) {
        return CollectiveCalls.scatterv(CallForm.STARTED, this, sendbuf, sendcount, displs, sendtype, root);
    }

    /**
     * Starts {@link #scatterv(Object, int, Datatype, int)} and returns at once; collective. The request is complete
     * when the buffer holds the items. See {@link #iBarrier} for what all non-blocking collectives have in common.
     *
     * <p>{@code MPI_Iscatterv}, MPI 3.1 section 5.12.4.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses for more than 0 items is null or of a kind that
     *     holds no items of the type, or read-only though it receives
     */
    public final Request iScatterv(Buffer recvbuf, int recvcount, Datatype recvtype, int root) {
        return CollectiveCalls.scatterv(CallForm.STARTED, this, recvbuf, recvcount, recvtype, root);
    }

    /**
     * Starts {@link #allGather(Object, int, Datatype, Object, int, Datatype)} and returns at once; collective. The
     * request is complete when the send buffer may be changed again and the receive buffer holds the result. See
     * {@link #iBarrier} for what all non-blocking collectives have in common.
     *
     * <p>{@code MPI_Iallgather}, MPI 3.1 section 5.12.5.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses for more than 0 items is null or of a kind that
     *     holds no items of the type, or read-only though it receives
     */
    public final Request iAllGather(
            Buffer sendbuf, int sendcount, Datatype sendtype, Buffer recvbuf, int recvcount, Datatype recvtype) {
        return CollectiveCalls.allGather(
                CallForm.STARTED, this, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /**
     * Starts {@link #allGather(Object, int, Datatype)} and returns at once; collective. The request is complete when
     * the buffer holds the result. See {@link #iBarrier} for what all non-blocking collectives have in common.
     *
     * <p>{@code MPI_Iallgather}, MPI 3.1 section 5.12.5.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses for more than 0 items is null or of a kind that
     *     holds no items of the type, or read-only though it receives
     */
    public final Request iAllGather(Buffer buf, int count, Datatype type) {
        return CollectiveCalls.allGather(CallForm.STARTED, this, buf, count, type);
    }

    /**
     * Starts {@link #allGatherv(Object, int, Datatype, Object, int[], int[], Datatype)} and returns at once;
     * collective. The request is complete when the send buffer may be changed again and the receive buffer holds the
     * result. See {@link #iBarrier} for what all non-blocking collectives have in common.
     *
     * <p>{@code MPI_Iallgatherv}, MPI 3.1 section 5.12.5.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses for more than 0 items is null or of a kind that
     *     holds no items of the type, or read-only though it receives
     */
    public final Request iAllGatherv(
            Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            Buffer recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype) {
        return CollectiveCalls.allGatherv(
                CallForm.STARTED, this, sendbuf, sendcount, sendtype, recvbuf, recvcount, displs, recvtype);
    }

    /**
     * Starts {@link #allGatherv(Object, int[], int[], Datatype)} and returns at once; collective. The request is
     * complete when the buffer holds the result. See {@link #iBarrier} for what all non-blocking collectives have in
     * common.
     *
     * <p>{@code MPI_Iallgatherv}, MPI 3.1 section 5.12.5.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses for more than 0 items is null or of a kind that
     *     holds no items of the type, or read-only though it receives
     */
    public final Request iAllGatherv(Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype) {
        return CollectiveCalls.allGatherv(CallForm.STARTED, this, recvbuf, recvcount, displs, recvtype);
    }

    /**
     * Starts {@link #allToAll} and returns at once; collective. The request is complete when the send buffer may be
     * changed again and the receive buffer holds the result. See {@link #iBarrier} for what all non-blocking
     * collectives have in common.
     *
     * <p>{@code MPI_Ialltoall}, MPI 3.1 section 5.12.6.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses for more than 0 items is null or of a kind that
     *     holds no items of the type, or read-only though it receives
     */
    public final Request iAllToAll(
            Buffer sendbuf, int sendcount, Datatype sendtype, Buffer recvbuf, int recvcount, Datatype recvtype) {
        return CollectiveCalls.allToAll(
                CallForm.STARTED, this, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /**
     * Starts {@link #allToAllv} and returns at once; collective. The request is complete when the send buffer may be
     * changed again and the receive buffer holds the result. See {@link #iBarrier} for what all non-blocking
     * collectives have in common.
     *
     * <p>{@code MPI_Ialltoallv}, MPI 3.1 section 5.12.6.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses for more than 0 items is null or of a kind that
     *     holds no items of the type, or read-only though it receives
     */
    public final Request iAllToAllv(
            Buffer sendbuf,
            int[] sendcount,
            int[] sdispls,
            Datatype sendtype,
            Buffer recvbuf,
            int[] recvcount,
            int[] rdispls,
            Datatype recvtype) {
        return CollectiveCalls.allToAllv(
                CallForm.STARTED, this, sendbuf, sendcount, sdispls, sendtype, recvbuf, recvcount, rdispls, recvtype);
    }

    /**
     * Starts {@link #allToAllw} and returns at once; collective. The request is complete when the send buffer may be
     * changed again and the receive buffer holds the result. See {@link #iBarrier} for what all non-blocking
     * collectives have in common. A type may be freed while the operation is under way.
     *
     * <p>{@code MPI_Ialltoallw}, MPI 3.1 section 5.12.6.
     *
     * @throws IllegalArgumentException if a buffer that has more than 0 items of a type is null or of a kind that holds
     *     no items of that type, or read-only though it receives
     */
    public final Request iAllToAllw(
            Buffer sendbuf,
            int[] sendcount,
            int[] sdispls,
            Datatype[] sendtypes,
            Buffer recvbuf,
            int[] recvcount,
            int[] rdispls,
            Datatype[] recvtypes) {
        return CollectiveCalls.allToAllw(
                CallForm.STARTED, this, sendbuf, sendcount, sdispls, sendtypes, recvbuf, recvcount, rdispls, recvtypes);
    }

    /**
     * Starts {@link #reduce(Object, Object, int, Datatype, Op, int)} and returns at once; collective. The request is
     * complete when the send buffer may be changed again and the receive buffer holds the result. See {@link #iBarrier}
     * for what all non-blocking collectives have in common.
     *
     * <p>{@code MPI_Ireduce}, MPI 3.1 section 5.12.7.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses for more than 0 items is null or of a kind that
     *     holds no items of the type, or read-only though it receives
     */
    public final Request iReduce(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op, int root) {
        return ReductionCalls.reduce(CallForm.STARTED, this, sendbuf, recvbuf, count, type, op, root);
    }

    /**
     * Starts {@link #reduce(Object, int, Datatype, Op, int)} and returns at once; collective. The request is complete
     * when the buffer holds the result or, at a rank that only sends, may be changed again. See {@link #iBarrier} for
     * what all non-blocking collectives have in common.
     *
     * <p>{@code MPI_Ireduce}, MPI 3.1 section 5.12.7.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses for more than 0 items is null or of a kind that
     *     holds no items of the type, or read-only though it receives
     */
    public final Request iReduce(Buffer buf, int count, Datatype type, Op op, int root) {
        return ReductionCalls.reduce(CallForm.STARTED, this, buf, count, type, op, root);
    }

    /**
     * Starts {@link #allReduce(Object, Object, int, Datatype, Op)} and returns at once; collective. The request is
     * complete when the send buffer may be changed again and the receive buffer holds the result. See {@link #iBarrier}
     * for what all non-blocking collectives have in common.
     *
     * <p>{@code MPI_Iallreduce}, MPI 3.1 section 5.12.8.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses for more than 0 items is null or of a kind that
     *     holds no items of the type, or read-only though it receives
     */
    public final Request iAllReduce(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op) {
        return ReductionCalls.allReduce(CallForm.STARTED, this, sendbuf, recvbuf, count, type, op);
    }

    /**
     * Starts {@link #allReduce(Object, int, Datatype, Op)} and returns at once; collective. The request is complete
     * when the buffer holds the result. See {@link #iBarrier} for what all non-blocking collectives have in common.
     *
     * <p>{@code MPI_Iallreduce}, MPI 3.1 section 5.12.8.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses for more than 0 items is null or of a kind that
     *     holds no items of the type, or read-only though it receives
     */
    public final Request iAllReduce(Buffer buf, int count, Datatype type, Op op) {
        return ReductionCalls.allReduce(CallForm.STARTED, this, Reductions.IN_PLACE, buf, count, type, op);
    }

    /**
     * Starts {@link #reduceScatter(Object, Object, int[], Datatype, Op)} and returns at once; collective. The request
     * is complete when the send buffer may be changed again and the receive buffer holds the result. See
     * {@link #iBarrier} for what all non-blocking collectives have in common.
     *
     * <p>{@code MPI_Ireduce_scatter}, MPI 3.1 section 5.12.10.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses for more than 0 items is null or of a kind that
     *     holds no items of the type, or read-only though it receives
     */
    public final Request iReduceScatter(Buffer sendbuf, Buffer recvbuf, int[] recvcounts, Datatype type, Op op) {
        return ReductionCalls.reduceScatter(CallForm.STARTED, this, sendbuf, recvbuf, recvcounts, type, op);
    }

    /**
     * Starts {@link #reduceScatter(Object, int[], Datatype, Op)} and returns at once; collective. The request is
     * complete when the buffer begins with the result. See {@link #iBarrier} for what all non-blocking collectives have
     * in common.
     *
     * <p>{@code MPI_Ireduce_scatter}, MPI 3.1 section 5.12.10.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses for more than 0 items is null or of a kind that
     *     holds no items of the type, or read-only though it receives
     */
    public final Request iReduceScatter(Buffer buf, int[] recvcounts, Datatype type, Op op) {
        return ReductionCalls.reduceScatter(CallForm.STARTED, this, Reductions.IN_PLACE, buf, recvcounts, type, op);
    }

    /**
     * Starts {@link #reduceScatterBlock(Object, Object, int, Datatype, Op)} and returns at once; collective. The
     * request is complete when the send buffer may be changed again and the receive buffer holds the result. See
     * {@link #iBarrier} for what all non-blocking collectives have in common.
     *
     * <p>{@code MPI_Ireduce_scatter_block}, MPI 3.1 section 5.12.9.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses for more than 0 items is null or of a kind that
     *     holds no items of the type, or read-only though it receives
     */
    public final Request iReduceScatterBlock(Buffer sendbuf, Buffer recvbuf, int recvcount, Datatype type, Op op) {
        return ReductionCalls.reduceScatterBlock(CallForm.STARTED, this, sendbuf, recvbuf, recvcount, type, op);
    }

    /**
     * Starts {@link #reduceScatterBlock(Object, int, Datatype, Op)} and returns at once; collective. The request is
     * complete when the buffer begins with the result. See {@link #iBarrier} for what all non-blocking collectives have
     * in common.
     *
     * <p>{@code MPI_Ireduce_scatter_block}, MPI 3.1 section 5.12.9.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses for more than 0 items is null or of a kind that
     *     holds no items of the type, or read-only though it receives
     */
    public final Request iReduceScatterBlock(Buffer buf, int recvcount, Datatype type, Op op) {
        return ReductionCalls.reduceScatterBlock(CallForm.STARTED, this, Reductions.IN_PLACE, buf, recvcount, type, op);
    }

    // Making and freeing communicators

    /**
     * Whether this is an inter-communicator ({@link Intercomm}). Local.
     *
     * <p>{@code MPI_Comm_test_inter}, MPI 3.1 section 6.6.1.
     */
    public final boolean isInter() {
        return enter("isInter").communicator().isInter();
    }

    /**
     * Makes an inter-communicator of two groups that have no member in common. Every member of both groups makes the
     * call, with its own group's communicator as {@code localComm}. This communicator (MPI calls it the peer
     * communicator) is the one in which the two leaders find each other; it and {@code remoteLeader} and {@code tag}
     * count at the leaders only. Collective over both groups; blocking: the call returns when all members of both
     * groups have come to it. The new communicator gets the error handler of {@code localComm}, which also handles the
     * errors of this call.
     *
     * <p>Under failure: a rank gets either an inter-communicator or an error, and waits neither for a dead rank nor on
     * a revoked communicator. Leaders that cannot make it tell their groups why, and those raise the same error. Ranks
     * may end differently, as in other calls that make communicators; a rank whose call raises an error after another
     * one has the inter-communicator revokes it.
     *
     * <p>{@code MPI_Intercomm_create}, MPI 3.1 section 6.6.2.
     *
     * @param localComm the caller's group, no inter-communicator
     * @param localLeader rank of the group's leader in {@code localComm}
     * @param remoteLeader rank of the other group's leader in this communicator
     * @param tag from 0, the same at both leaders; tells calls of the same leaders at the same time apart
     * @throws MPIException of class {@code ERR_COMM} if {@code localComm} is null or an inter-communicator, if the
     *     groups have a member in common, or if one of them was made before {@link Intracomm#replace} and the other
     *     after it
     * @throws ProcFailedException if a member of a group, or the other leader, has failed
     * @throws RevokedException if this communicator or {@code localComm} is revoked, if the other group gave the call
     *     up, or if a rank whose call was over already revoked the new communicator
     */
    public final Intercomm createIntercomm(Comm localComm, int localLeader, int remoteLeader, int tag) {
        return Intercomm.create(this, localComm, localLeader, remoteLeader, tag);
    }

    /**
     * Makes a communicator of the same members in the same order, with a separate space of messages and the error
     * handler, the topology, the hints and the attributes of this one; what becomes of an attribute is said by the
     * {@link AttributeCopy} of its key. Collective.
     *
     * <p>{@code MPI_Comm_dup}, MPI 3.1 section 6.4.2.
     */
    public Comm dup() {
        CommState state = enter("dup");
        try {
            return wrap(Duplication.dup(this, state));
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * As {@link #dup}, with these hints in place of those of this communicator. All members wait for each other, since
     * they compare the hints that {@link #setInfo} names, and either all that live have the duplicate or none.
     *
     * <p>{@code MPI_Comm_dup_with_info}, MPI 3.1 section 6.4.2.
     *
     * @param info hints; {@link MPI#INFO_NULL} for none
     * @throws MPIException of class {@code ERR_INFO} if {@code info} is null or was freed; {@code ERR_INFO_VALUE} as
     *     {@link #setInfo}
     */
    public Comm dupWithInfo(Info info) {
        CommState state = enter("dupWithInfo");
        try {
            return wrap(Duplication.dupWithInfo(this, state, info));
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * As {@link #dup} without waiting: {@link #getRequest} of the result is the request, and only when that is complete
     * may the result be used. Attributes are copied by this call. An error of {@code dup} is raised by the call that
     * completes the request; the result is null then.
     *
     * <p>{@code MPI_Comm_idup}, MPI 3.1 section 6.4.2.
     */
    public abstract Comm iDup();

    /**
     * Makes a duplicate, as {@link #dup} does.
     *
     * <p>{@code MPI_Comm_dup}, MPI 3.1 section 6.4.2.
     */
    @Override
    public Comm clone() {
        return dup();
    }

    /**
     * Gives the communicator back; the object is null afterwards. Local, and legal on a revoked communicator or with
     * failed members. {@link MPI#COMM_WORLD} and {@link MPI#COMM_SELF} cannot be freed ({@code ERR_COMM}). Attributes
     * are deleted first, the one that was set last before the others; if an {@link AttributeDelete} throws, this call
     * throws that exception and the communicator stays.
     *
     * <p>{@code MPI_Comm_free}, MPI 3.1 section 6.4.3.
     */
    @Override
    public final void free() {
        CommState state = enter("free");
        try {
            if (!isOfAnyRank()) {
                CommAttributes.deleteAll(this, state);
            }
            state.communicator().free();
        } catch (CallError fault) {
            throw raise(state, fault);
        }
        state.freedNow();
    }

    // Fault tolerance

    /**
     * Makes the communicator useless at every member, so that all of them come to recover: communication on it that is
     * under way or begun later raises a {@link RevokedException}; recovery calls and local calls do not. It takes
     * effect at the caller at once, at the other members soon. Not collective; no rank needs to answer.
     *
     * <p>{@code MPIX_Comm_revoke}, User-Level Failure Mitigation.
     */
    public final void revoke() {
        CommState state = enter("revoke");
        try {
            state.communicator().recovery().revoke();
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * Sets, at this rank, whether a revocation of this communicator also reaches communicators that are made from it
     * later, but for those that {@code CommunicatorRecovery.revokeOffspring} excepts. False also ends that for
     * communicators made before. Returns the former setting.
     */
    final boolean revokeOffspring(String operation, boolean doIt) {
        Rank rank = Ranks.current(operation);
        rank.checkAdmitted(operation);
        return stateAt(rank, operation).communicator().recovery().revokeOffspring(doIt);
    }

    /**
     * Whether it is known here that this communicator is revoked. Local.
     *
     * <p>{@code MPIX_Comm_is_revoked}, User-Level Failure Mitigation.
     */
    public final boolean isRevoked() {
        return enter("isRevoked").communicator().isRevoked();
    }

    /**
     * The members known here to have failed, in the order in which that became known: the shorter of two results is
     * always the beginning of the longer one. Local.
     *
     * <p>{@code MPIX_Comm_get_failed}, User-Level Failure Mitigation.
     */
    public final Group getFailed() {
        CommState state = enter("getFailed");
        try {
            return groupOf(state.communicator(), state.communicator().recovery().failedRanks());
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * Acknowledges the first {@code count} members of {@link #getFailed}. Failures that are all acknowledged no longer
     * keep receives from {@link MPI#ANY_SOURCE} from waiting, and a failure that every participant acknowledged no
     * longer makes {@link #agree(int)} raise an error. Collectives and receives from a failed rank raise an error as
     * before. Local.
     *
     * <p>{@code MPIX_Comm_ack_failed}, User-Level Failure Mitigation.
     *
     * @param count from 0, which only asks, to the number of members (of both groups of an {@link Intercomm}); more
     *     than have failed means all
     * @return how many are acknowledged now
     */
    public final int ackFailed(int count) {
        CommState state = enter("ackFailed");
        try {
            Arguments.acknowledged(state, count);
            return state.communicator().recovery().acknowledge(count);
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * Acknowledges all members known here to have failed; see {@link #ackFailed(int)}.
     *
     * <p>{@code MPIX_Comm_ack_failed}, User-Level Failure Mitigation.
     */
    public final int ackFailed() {
        return acknowledgeAll("ackFailed");
    }

    /**
     * The older name of {@link #ackFailed()}.
     *
     * <p>{@code MPIX_Comm_failure_ack}, User-Level Failure Mitigation.
     *
     * @deprecated use {@link #ackFailed()}
     */
    @Deprecated
    public final void failureAck() {
        acknowledgeAll("failureAck");
    }

    private int acknowledgeAll(String operation) {
        CommState state = enter(operation);
        try {
            return state.communicator()
                    .recovery()
                    .acknowledge(state.communicator().members().size());
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * The failed members that were acknowledged here: the first members of {@link #getFailed}.
     *
     * <p>{@code MPIX_Comm_failure_get_acked}, User-Level Failure Mitigation.
     *
     * @deprecated use {@code ackFailed(0)} and {@link #getFailed}
     */
    @Deprecated
    public final Group failureGetAcked() {
        CommState state = enter("failureGetAcked");
        Communicator communicator = state.communicator();
        try {
            int acknowledged = communicator.recovery().acknowledge(0);
            return groupOf(communicator, Arrays.copyOf(communicator.recovery().failedRanks(), acknowledged));
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * The bitwise AND of the flags of all members that take part; in an {@link Intercomm}, of those of the remote
     * group. All live members (of both groups) must call it; it works on a revoked communicator and with failed
     * members.
     *
     * <p>{@code MPIX_Comm_agree}, User-Level Failure Mitigation.
     *
     * @throws ProcFailedException at every member alike, if a member that did not take part is not acknowledged by
     *     every one that did; {@link MPIException#getAgreedValue} has the agreed value all the same
     */
    public final int agree(int flag) {
        CommState state = enter("agree");
        try {
            return state.communicator().recovery().agree(flag);
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * As {@link #agree(int)}, with the guarantee that {@code mode} names. A value that goes out of the job (a file is
     * renamed, a client is answered) needs {@link AgreeMode#UNIFORM}. All members must name the same mode.
     *
     * <p>{@code MPIX_Comm_agree}, User-Level Failure Mitigation.
     *
     * @throws ProcFailedException as {@link #agree(int)} does
     */
    public final int agree(int flag, AgreeMode mode) {
        CommState state = enter("agree");
        try {
            Arguments.notNull(state, "agree", "mode", mode, "AgreeMode.EARLY_RETURNING or AgreeMode.UNIFORM");
            return mode.agree(state.communicator(), flag);
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * As {@link #agree(int)}; the agreed value replaces the one in the array, also when a failure is raised.
     *
     * <p>{@code MPIX_Comm_agree}, User-Level Failure Mitigation.
     *
     * @param flag an array of one element
     */
    public final void agree(int[] flag) {
        CommState state = enter("agree");
        try {
            Arguments.flag(state, flag);
            flag[0] = state.communicator().recovery().agree(flag[0]);
        } catch (CallError fault) {
            if (fault.error() == ErrorClass.PROC_FAILED) {
                flag[0] = fault.agreedValue();
            }
            throw raise(state, fault);
        }
    }

    /**
     * As {@link #agree(int)} without waiting: the agreed value replaces the one at element 0 of the buffer when the
     * request is complete, also if completing it raises a failure. The value is taken when this is called. Several may
     * be under way; they are matched in the order of the calls, and {@code iAgree} only with {@code iAgree}.
     *
     * <p>{@code MPIX_Comm_iagree}, User-Level Failure Mitigation.
     *
     * @throws IllegalArgumentException if {@code flag} is null or read-only
     * @throws MPIException of class {@code ERR_ARG} if {@code flag} has no element
     */
    public final Request iAgree(IntBuffer flag) {
        return NonBlocking.agree(this, enter("iAgree"), flag);
    }

    /**
     * The failed members, the same group at every member that takes part: every failure that a participant knew before
     * its call is in it. All live members must call it; it works on a revoked communicator and raises no failure.
     */
    public final Group agreeFailed() {
        CommState state = enter("agreeFailed");
        try {
            return groupOf(state.communicator(), state.communicator().recovery().agreeFailed());
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * A communicator of the members that have not failed, in the same order, with this one's error handler. All live
     * members must call it; it works on a revoked communicator, which is its usual use, and raises no failure. A member
     * whose death no rank has noticed yet may still be in it.
     *
     * <p>{@code MPIX_Comm_shrink}, User-Level Failure Mitigation.
     */
    public Comm shrink() {
        CommState state = enter("shrink");
        try {
            return wrap(state.child(state.communicator().recovery().shrink()));
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }
}
