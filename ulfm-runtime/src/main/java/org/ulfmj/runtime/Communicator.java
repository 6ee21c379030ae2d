package org.ulfmj.runtime;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.inter.TwoGroups;
import org.ulfmj.runtime.message.MessageKey;
import org.ulfmj.runtime.message.PassingPayload;
import org.ulfmj.runtime.message.SendMode;
import org.ulfmj.runtime.transfer.Operation;
import org.ulfmj.runtime.transfer.Probe;
import org.ulfmj.runtime.transfer.SendOperation;
import org.ulfmj.runtime.transfer.ShortMessages;
import org.ulfmj.runtime.transfer.Transfers;
import org.ulfmj.runtime.transfer.UnexpectedMessage;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Payload;

/**
 * The communicator of the engine: a group of ranks that has an id, on which a program sends, receives and recovers.
 * Calls for messages are here; other calls come in parts: {@link #collectives}, {@link #started}, {@link #recovery} and
 * {@link #creation}.
 *
 * <p>Every method may be called by any thread of the rank. The caller has checked the arguments, for example that ranks
 * and roots are in range. After {@link #free} a call that begins an operation on the communicator, but for
 * {@link #receiveMatched}, is a {@link CallError} of class {@link ErrorClass#COMM}.
 */
public final class Communicator {
    /** Receives from any member. */
    public static final int ANY_SOURCE = MessageKey.ANY_SOURCE;
    /** Receives any tag. */
    public static final int ANY_TAG = MessageKey.ANY_TAG;
    /** Stands for no rank, where a rank is named: a send to it or a receive from it ends at once. */
    public static final int PROC_NULL = MessageKey.NO_RANK;
    /**
     * Stands for the caller where an operation on an inter-communicator names a root: the caller's data goes to the
     * other group, or comes from there. The other ranks of the caller's group name {@link #PROC_NULL}.
     */
    public static final int ROOT = TwoGroups.ROOT;
    /** The colour by which a member asks {@link CommunicatorCreation#split} for no communicator. */
    public static final int UNDEFINED = -32766;

    private final RankRuntime runtime;
    private final RankEngine engine;
    private final CommunicatorState state;
    private final BlockingCollectives collectives;
    /**
     * The object of {@link #started}; null before it is asked for. Two threads may each make one, which does no harm.
     */
    private StartedCollectives started;

    Communicator(RankRuntime runtime, CommunicatorState state) {
        this.runtime = runtime;
        this.engine = runtime.engine();
        this.state = state;
        this.collectives = new BlockingCollectives(runtime.collectives(), state);
    }

    CommunicatorState state() {
        return state;
    }

    /**
     * The id of this communicator, which frames of its messages carry. No other communicator gets it after
     * {@link #free}.
     */
    public long id() {
        return state.id();
    }

    /**
     * The name of the communicator in error messages: {@code COMM_WORLD}, {@code COMM_SELF}, or a label of another one,
     * which mostly says from what it was made.
     */
    public String label() {
        return state.label();
    }

    public RankRuntime runtime() {
        return runtime;
    }

    /** The number of ranks of this communicator; on an inter-communicator, of the caller's group. */
    public int size() {
        return state.isInter() ? state.groups().localSize() : state.members().size();
    }

    /** The caller's rank in this communicator; on an inter-communicator, in the caller's group. */
    public int rank() {
        return state.isInter() ? state.groups().rankOf(state.rank()) : state.rank();
    }

    /**
     * How many ranks the caller may send to: in an inter-communicator the ranks of the remote group, else all ranks.
     */
    public int peers() {
        return state.isInter() ? state.groups().remoteSize() : state.members().size();
    }

    public boolean isInter() {
        return state.isInter();
    }

    /** How the members of an inter-communicator are divided into two groups; null for any other communicator. */
    public TwoGroups groups() {
        return state.groups();
    }

    /**
     * The slots of the members in rank order; in an inter-communicator those of the first group, then those of the
     * second group.
     */
    public SlotRuns members() {
        return state.members();
    }

    /**
     * The process of a member. {@code member} is its index in {@link #members}: the rank, unless this is an
     * inter-communicator.
     */
    public ProcessId process(int member) {
        return state.process(member);
    }

    public boolean isFreed() {
        return state.isFreed();
    }

    public boolean isRevoked() {
        return state.isRevoked();
    }

    /** Frees this communicator. Local; legal on a revoked communicator. COMM_WORLD and COMM_SELF cannot be freed. */
    public void free() {
        engine.enter(state, "free");
        try {
            if (this == runtime.world() || this == runtime.self()) {
                throw engine.errors().notFreeable(state);
            }
            runtime.collectives().freed(state);
            engine.free(state);
        } finally {
            engine.leave();
        }
    }

    /** The blocking collective operations of this communicator. */
    public BlockingCollectives collectives() {
        return collectives;
    }

    /** The collective operations that do not wait. */
    public StartedCollectives started() {
        StartedCollectives known = started;
        if (known == null) {
            known = new StartedCollectives(engine, state);
            started = known;
        }
        return known;
    }

    /**
     * The calls by which this communicator survives failures: revocation, acknowledgement, agreement, and the worlds
     * that follow.
     */
    public CommunicatorRecovery recovery() {
        return new CommunicatorRecovery(runtime, state);
    }

    /** The calls that make other communicators from this one. */
    public CommunicatorCreation creation() {
        return new CommunicatorCreation(runtime, this, state);
    }

    /**
     * Throws the error of class {@link ErrorClass#REVOKED} if the communicator is revoked. For operations that have no
     * peer at all.
     */
    public void checkRevoked(String operation) {
        engine.enter(state, operation);
        try {
            if (state.isRevoked()) {
                throw engine.errors().revoked(state, operation);
            }
        } finally {
            engine.leave();
        }
    }

    /**
     * Returns the operation for a request that sends to no rank or receives from no rank. It is over already, with
     * {@link ErrorClass#REVOKED} if the communicator is revoked, else with success.
     */
    public Operation noMessage(String operation) {
        engine.enter(state, operation);
        try {
            return state.isRevoked() ? new FinishedOperation(state, ErrorClass.REVOKED) : state.noMessage();
        } finally {
            engine.leave();
        }
    }

    /**
     * Starts a send and returns at once; the payload is read until the operation is done. If a failure or a revocation
     * ends the send, {@link #await} raises that, and not this method.
     */
    public Operation send(Payload data, int rank, int tag, SendMode mode) {
        int dest = state.memberOf(rank);
        if (mode == SendMode.BUFFERED) {
            return sendBuffered("start of a buffered send", data, dest, tag);
        }
        engine.enter(state, "send");
        try {
            Operation sent = engine.shortMessages().startSend(state, data, dest, tag, mode);
            return sent != null ? sent : engine.transfers().send(state, data, dest, tag, mode);
        } finally {
            engine.leave();
        }
    }

    /**
     * As {@link #send} in a mode other than buffered. A send that has not ended on return reads its payload from
     * {@link PassingPayload#kept} from then on.
     */
    public Operation sendPassing(PassingPayload data, int rank, int tag, SendMode mode) {
        int dest = state.memberOf(rank);
        engine.enter(state, "send");
        try {
            Operation sent = engine.shortMessages().startSend(state, data, dest, tag, mode);
            if (sent != null) {
                return overAtOnce(sent);
            }
            SendOperation send = engine.transfers().send(state, data, dest, tag, mode);
            if (!send.isDone()) {
                send.goOnWithKept(data);
                return send;
            }
            return overAtOnce(send);
        } finally {
            engine.leave();
        }
    }

    /**
     * Gives the object of a send that has ended without an error back for reuse, and returns one that all such sends of
     * the communicator share. So the call that completes the request need not enter the engine. A send that failed is
     * returned as it is, and so is every send where faults are planned, since these count each entry.
     */
    private Operation overAtOnce(Operation send) {
        if (send.error() != ErrorClass.SUCCESS || engine.hasFaultPoints()) {
            return send;
        }
        engine.transfers().release(send);
        return state.sentMessage();
    }

    /**
     * Starts a buffered send, which is over for the program at once: if the message has not left by then, its bytes are
     * copied and occupy the attached buffer.
     *
     * @throws CallError of class {@link ErrorClass#BUFFER} if no buffer is attached, a thread is detaching it, or it
     *     has no room for the message
     */
    public Operation sendBuffered(String operation, Payload data, int dest, int tag) {
        // The receiver may copy a long message from where it lies, but the program may change that memory after this
        // call: so a long message is copied first.
        Payload sent = Transfers.mayBeOffered(data.lengthBytes()) ? BufferPayload.copyOf(data) : data;
        engine.enter(state, operation);
        try {
            long lengthBytes = data.lengthBytes();
            runtime.attachedBuffer().require(state, operation, lengthBytes);
            SendOperation send = engine.transfers().send(state, sent, dest, tag, SendMode.BUFFERED);
            if (send.isDone()) {
                return send;
            }
            if (sent == data) {
                send.goOnWith(BufferPayload.copyOf(data));
            }
            runtime.attachedBuffer().add(send, lengthBytes);
            return state.noMessage();
        } finally {
            engine.leave();
        }
    }

    /** Starts a receive and returns at once; the payload is written until the operation is done. */
    public Operation receive(Payload data, int source, int tag) {
        engine.enter(state, "receive");
        try {
            return engine.transfers().receive(state, data, state.memberOf(source), tag);
        } finally {
            engine.leave();
        }
    }

    /** As {@link #receive}, with {@link PassingPayload#kept}. */
    public Operation receivePassing(PassingPayload data, int source, int tag) {
        engine.enter(state, "receive");
        try {
            return engine.transfers().receivePassing(state, data, state.memberOf(source), tag);
        } finally {
            engine.leave();
        }
    }

    /**
     * Does {@link #send}, in a mode other than buffered, {@link #await} and {@link #release} in one call: so a call
     * that blocks enters the engine only once.
     */
    public void sendAndWait(Payload data, int rank, int tag, SendMode mode) {
        int dest = state.memberOf(rank);
        engine.enter(state, "send");
        try {
            if (mode != SendMode.SYNCHRONOUS && engine.shortMessages().send(state, data, dest, tag)) {
                return;
            }
            Operation send = engine.transfers().send(state, data, dest, tag, mode);
            awaitEnd(send);
            engine.transfers().release(send);
        } finally {
            engine.leave();
        }
    }

    /** Does {@link #receive}, {@link #await} and {@link #release} in one call. */
    public void receiveAndWait(Payload data, int rank, int tag, Arrival arrival) {
        int source = state.memberOf(rank);
        engine.enter(state, "receive");
        try {
            int lengthBytes = engine.shortMessages().receive(state, data, source, tag);
            if (lengthBytes != ShortMessages.DECLINED) {
                arrival.set(rank, engine.shortMessages().receivedTag(), lengthBytes);
                return;
            }
            Operation receive = engine.transfers().receive(state, data, source, tag);
            awaitEnd(receive);
            arrival.set(receive);
            engine.transfers().release(receive);
        } finally {
            engine.leave();
        }
    }

    /**
     * Withdraws a receive that has not matched a message, or a send that has not left. Returns false if it was too late
     * for that.
     */
    public boolean cancel(Operation operation) {
        engine.enter();
        try {
            return engine.transfers().cancel(operation);
        } finally {
            engine.leave();
        }
    }

    /**
     * Waits, as a blocking call does, and raises the error with which the operation ended, if any. If this method
     * throws while this rank still runs, the operation is over and its payload belongs to the caller again; only after
     * an error that is no {@link CallError} a sender may still write into the payload the piece that it has begun. A
     * receive from any source is withdrawn with {@link ErrorClass#PROC_FAILED} while a failure is not acknowledged.
     */
    public void await(Operation operation) {
        engine.enter();
        try {
            awaitEnd(operation);
        } finally {
            engine.leave();
        }
    }

    /**
     * Gives up an operation whose caller waits for it no more, because of an error that is no {@link CallError}: the
     * operation is withdrawn or, if its peer has matched it already, the communicator is revoked. Nothing happens if
     * the operation is done or this rank is over.
     */
    public void abandon(Operation operation) {
        engine.lock().lock();
        try {
            leave(operation);
        } finally {
            engine.leave();
        }
    }

    /**
     * Gives the object of an operation back for reuse: the operation is done and the caller will not look at it again.
     * A caller need not call this.
     */
    public void release(Operation operation) {
        engine.lock().lock();
        try {
            engine.transfers().release(operation);
        } finally {
            engine.lock().unlock();
        }
    }

    /**
     * Waits until a message of this source and tag can be received, and sets {@code found} to its source, tag and
     * length.
     */
    public void probe(int source, int tag, Arrival found) {
        engine.enter(state, "probe");
        try {
            Probe probe = engine.probe(state, state.memberOf(source), tag);
            UnexpectedMessage message = probe.result();
            while (message == null) {
                engine.progress().await(probe);
                message = probe.result();
            }
            found.set(state, message);
            engine.giveBack(probe);
        } finally {
            engine.leave();
        }
    }

    /** Returns whether a message could be received now, and if so sets {@code found} to its source, tag and length. */
    public boolean tryProbe(int source, int tag, Arrival found) {
        engine.enter(state, "iProbe");
        try {
            Probe probe = engine.probe(state, state.memberOf(source), tag);
            if (!probe.isDone()) {
                engine.progress().pollOnce();
                engine.checkRunning();
            }
            UnexpectedMessage message = probe.result();
            if (message != null) {
                found.set(state, message);
            }
            engine.giveBack(probe);
            return message != null;
        } finally {
            engine.leave();
        }
    }

    /**
     * Waits until a message can be received, sets {@code seen} to its source, tag and length, and reserves the message
     * for one {@link #receiveMatched}.
     */
    public UnexpectedMessage matchProbe(int source, int tag, Arrival seen) {
        engine.enter(state, "mProbe");
        try {
            Probe probe = engine.probe(state, state.memberOf(source), tag);
            UnexpectedMessage found = probe.claim();
            while (found == null) {
                engine.progress().await(probe);
                found = probe.claim();
            }
            seen.set(state, found);
            engine.giveBack(probe);
            return found;
        } finally {
            engine.leave();
        }
    }

    /**
     * As {@link #matchProbe} without waiting: returns null, and leaves {@code seen} as it was, if no message can be
     * received now.
     */
    public UnexpectedMessage tryMatchProbe(int source, int tag, Arrival seen) {
        engine.enter(state, "imProbe");
        try {
            Probe probe = engine.probe(state, state.memberOf(source), tag);
            if (!probe.isDone()) {
                engine.progress().pollOnce();
                engine.checkRunning();
            }
            UnexpectedMessage found = probe.claim();
            if (found != null) {
                seen.set(state, found);
            }
            engine.giveBack(probe);
            return found;
        } finally {
            engine.leave();
        }
    }

    /**
     * Starts the receive of a message that {@link #matchProbe} reserved, even if the program has freed the communicator
     * since. To be called once per message.
     */
    public Operation receiveMatched(UnexpectedMessage message, Payload data) {
        engine.enter();
        try {
            return engine.transfers().receive(state, message, data);
        } finally {
            engine.leave();
        }
    }

    private void awaitEnd(Operation operation) {
        if (!operation.isDone()) {
            awaitSettled(operation);
        }
        if (operation.error() != ErrorClass.SUCCESS) {
            throw engine.errors().of(operation);
        }
    }

    private void awaitSettled(Operation operation) {
        ProcessId partner = operation.partner();
        if (partner != null) {
            engine.fabric().attend(partner);
        }
        boolean isReturning = false;
        try {
            engine.progress().await(operation.settled());
            isReturning = true;
        } finally {
            if (!isReturning) {
                leave(operation);
            }
        }
        if (!operation.isDone()) {
            CallError heldUp = engine.errors().heldUp(state, operation.describe(), ErrorClass.PROC_FAILED);
            engine.traffic().end(operation, ErrorClass.PROC_FAILED);
            throw heldUp;
        }
    }

    /**
     * Gives up an operation whose caller waits for it no more, because of an error that the operation's peer is not
     * told of. The operation is withdrawn. If its peer has already matched it, the peer would wait for ever: then the
     * communicator is revoked. Nothing happens if the operation is done or this rank is over.
     */
    private void leave(Operation operation) {
        if (!operation.isDone() && !engine.isOver() && !engine.transfers().cancel(operation)) {
            engine.byMessages().leaveInTheMiddle(state);
        }
    }

    @Override
    public String toString() {
        return state.toString();
    }
}
