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
 * A group of ranks that has an id: what a program sends, receives and recovers on. Calls for messages are here; other
 * calls come in parts: {@link #collectives}, {@link #started}, {@link #recovery} and {@link #creation}.
 *
 * <p>Every method may be called by any thread of the rank. Arguments were checked by the caller (ranks and roots in
 * range, tags not negative); what goes wrong later is a {@link CallError}. After {@link #free} every call but the
 * queries is a {@link CallError} of class {@link ErrorClass#COMM}.
 */
public final class Communicator {
    /** Receives from any member. */
    public static final int ANY_SOURCE = MessageKey.ANY_SOURCE;
    /** Receives any tag. */
    public static final int ANY_TAG = MessageKey.ANY_TAG;
    /** In place of a rank: none. A message from or to it is over at once. */
    public static final int PROC_NULL = MessageKey.NO_RANK;
    /**
     * In place of a root: the caller is the root, whose data goes to the other group of the inter-communicator or comes
     * from there. The other ranks of its group give {@link #PROC_NULL}.
     */
    public static final int ROOT = TwoGroups.ROOT;
    /** The colour of members that {@link CommunicatorCreation#split} leaves out. */
    public static final int UNDEFINED = -32766;

    private final RankRuntime runtime;
    private final RankEngine engine;
    private final CommunicatorState state;
    private final BlockingCollectives collectives;
    /** Null before it is asked for: most programs need none. Two threads may make two, which do no harm. */
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

    /** The id of this communicator in frames. No other communicator gets it after {@link #free}. */
    public long id() {
        return state.id();
    }

    /** How error messages call the communicator: {@code COMM_WORLD}, {@code COMM_SELF}, or from what it was made. */
    public String label() {
        return state.label();
    }

    public RankRuntime runtime() {
        return runtime;
    }

    /** How many ranks there are; in an inter-communicator, in the caller's group. */
    public int size() {
        return state.isInter() ? state.groups().localSize() : state.members().size();
    }

    /** The caller's rank; in an inter-communicator, in its group. */
    public int rank() {
        return state.isInter() ? state.groups().rankOf(state.rank()) : state.rank();
    }

    /** How many ranks the caller may send to: those of the remote group in an inter-communicator, else all. */
    public int peers() {
        return state.isInter() ? state.groups().remoteSize() : state.members().size();
    }

    public boolean isInter() {
        return state.isInter();
    }

    /** How the members of an inter-communicator are divided; null for any other communicator. */
    public TwoGroups groups() {
        return state.groups();
    }

    /** Slots in rank order; those of an inter-communicator's first group, then those of its second group. */
    public SlotRuns members() {
        return state.members();
    }

    /** The process of a member, by its place among {@link #members}; the rank, unless this is an inter-communicator. */
    public ProcessId process(int member) {
        return state.process(member);
    }

    public boolean isFreed() {
        return state.isFreed();
    }

    public boolean isRevoked() {
        return state.isRevoked();
    }

    /** Local; legal on a revoked communicator. COMM_WORLD and COMM_SELF cannot be freed. */
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

    /** The collective operations that return when they are done here. */
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

    /** What survives a failure: revocation, acknowledgement, agreement, and the worlds that follow. */
    public CommunicatorRecovery recovery() {
        return new CommunicatorRecovery(runtime, state);
    }

    /** The calls that make other communicators of this one. */
    public CommunicatorCreation creation() {
        return new CommunicatorCreation(runtime, this, state);
    }

    /** For operations with no peer at all: raises {@link ErrorClass#REVOKED} if the communicator is revoked. */
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
     * The operation of a request that sends to no rank or receives from no rank. It is over already, with
     * {@link ErrorClass#REVOKED} or success.
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
     * As {@link #send} in a mode other than buffered. A send that is not over on return goes on with
     * {@link PassingPayload#kept}.
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
     * Gives the object of a send that is over back at once, so that the call that completes its request need not enter
     * the engine; unless that entry is counted for a planned fault.
     */
    private Operation overAtOnce(Operation send) {
        if (send.error() != ErrorClass.SUCCESS || engine.hasFaultPoints()) {
            return send;
        }
        engine.transfers().release(send);
        return state.sentMessage();
    }

    /**
     * Starts a buffered send, which is over at once: what has not left is copied, and occupies the attached buffer.
     *
     * @throws CallError of class {@link ErrorClass#BUFFER} if no buffer is attached, or it has no room for the message
     */
    public Operation sendBuffered(String operation, Payload data, int dest, int tag) {
        // A long message may be offered where it lies, but the program may change that memory after this call.
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
     * {@link #send}, {@link #await} and {@link #release} in one: a call that blocks takes the engine's lock only once.
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

    /** {@link #receive}, {@link #await} and {@link #release} in one. */
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

    /** Withdraws a receive that has not matched, or a send that has not left; false if it was too late. */
    public boolean cancel(Operation operation) {
        engine.enter();
        try {
            return engine.transfers().cancel(operation);
        } finally {
            engine.leave();
        }
    }

    /**
     * Waits, as a blocking call does, and raises how the operation ended. If it throws, the operation is over and its
     * payload belongs to the caller again; only after an error that is no {@link CallError} a sender may still write a
     * piece of it that it has begun with. A receive from any source is withdrawn with {@link ErrorClass#PROC_FAILED}
     * while a failure is not acknowledged.
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
     * The caller leaves by an error that is no {@link CallError} and waits for the operation no more: the operation is
     * withdrawn or, if its peer has matched it already, the communicator is revoked. Nothing happens if the operation
     * is done.
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
     * The operation is done and the caller will not look at it again: its object may be reused. A caller need not call
     * this.
     */
    public void release(Operation operation) {
        engine.lock().lock();
        try {
            engine.transfers().release(operation);
        } finally {
            engine.lock().unlock();
        }
    }

    /** Waits until a message can be received. */
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

    /** Whether a message could be received now, which {@code found} then describes. */
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
     * Waits until a message can be received, which {@code seen} then describes, and takes it for one
     * {@link #receiveMatched}.
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

    /** As {@link #matchProbe} without waiting: null, and {@code seen} as it was, if no message can be received now. */
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
     * Starts the receive of a message that {@link #matchProbe} took, also when the communicator was freed since. To be
     * called once per message.
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
     * The caller waits for the operation no more, because of an error that the operation's peer does not hear of. A
     * peer that has already matched the operation would wait for ever: then the communicator is revoked.
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
