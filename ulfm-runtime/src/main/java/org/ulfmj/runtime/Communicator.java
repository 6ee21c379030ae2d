package org.ulfmj.runtime;

import java.nio.ByteBuffer;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.runtime.collective.AllToAllSchedule;
import org.ulfmj.runtime.collective.Blocks;
import org.ulfmj.runtime.collective.CollectiveBuffer;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.Neighborhood;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.DescriptionMismatch;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.inter.TwoGroups;
import org.ulfmj.runtime.message.Envelope;
import org.ulfmj.runtime.message.MessageKey;
import org.ulfmj.runtime.message.PassingPayload;
import org.ulfmj.runtime.message.SendMode;
import org.ulfmj.runtime.recovery.AgreedNotes;
import org.ulfmj.runtime.recovery.RecoveryErrors;
import org.ulfmj.runtime.reduction.Reduction;
import org.ulfmj.runtime.transfer.Operation;
import org.ulfmj.runtime.transfer.Probe;
import org.ulfmj.runtime.transfer.SendOperation;
import org.ulfmj.runtime.transfer.ShortMessages;
import org.ulfmj.runtime.transfer.Transfers;
import org.ulfmj.runtime.transfer.UnexpectedMessage;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Payload;

/**
 * A group of ranks that has an id: what a program sends, receives and recovers on.
 *
 * <p>In the collective operations of an inter-communicator each group gets the data of the other one: parts are one for
 * each rank of the other group, and there is no own part. A root argument is {@link #ROOT}, {@link #PROC_NULL} or a
 * rank of the other group, and a buffer that the caller's role does not use is null.
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
    public static final int ROOT = -4;
    /** The colour of members that {@link #split} leaves out. */
    public static final int UNDEFINED = -32766;

    private final RankRuntime runtime;
    private final RankEngine engine;
    private final CommunicatorState state;

    Communicator(RankRuntime runtime, CommunicatorState state) {
        this.runtime = runtime;
        this.engine = runtime.engine();
        this.state = state;
    }

    /** The name on the wire; never used again after {@link #free}. */
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
            return state.isRevoked() ? new NoOperation(state, ErrorClass.REVOKED) : state.noMessage();
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
                return sent;
            }
            SendOperation send = engine.transfers().send(state, data, dest, tag, mode);
            if (!send.isDone()) {
                send.goOnWith(data.kept());
            }
            return send;
        } finally {
            engine.leave();
        }
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
    public Envelope probe(int source, int tag) {
        engine.enter(state, "probe");
        try {
            Probe probe = new Probe(engine.traffic(), engine.errors(), state, state.memberOf(source), tag);
            engine.progress().await(probe);
            return probe.result();
        } finally {
            engine.leave();
        }
    }

    /** The message that could be received now, or null. */
    public Envelope tryProbe(int source, int tag) {
        engine.enter(state, "iProbe");
        try {
            Probe probe = new Probe(engine.traffic(), engine.errors(), state, state.memberOf(source), tag);
            if (!probe.isDone()) {
                engine.progress().pollOnce();
                engine.checkRunning();
            }
            return probe.isDone() ? probe.result() : null;
        } finally {
            engine.leave();
        }
    }

    /** The collective operations that do not wait. */
    public StartedCollectives started() {
        return new StartedCollectives(engine, state);
    }

    /** Waits until a message can be received, and takes it for one {@link #receiveMatched}. */
    public UnexpectedMessage matchProbe(int source, int tag) {
        engine.enter(state, "mProbe");
        try {
            Probe probe = new Probe(engine.traffic(), engine.errors(), state, source, tag);
            UnexpectedMessage found = probe.claim();
            while (found == null) {
                engine.progress().await(probe);
                found = probe.claim();
            }
            return found;
        } finally {
            engine.leave();
        }
    }

    /** As {@link #matchProbe} without waiting: null if no message can be received now. */
    public UnexpectedMessage tryMatchProbe(int source, int tag) {
        engine.enter(state, "imProbe");
        try {
            Probe probe = new Probe(engine.traffic(), engine.errors(), state, source, tag);
            if (!probe.isDone()) {
                engine.progress().pollOnce();
                engine.checkRunning();
            }
            return probe.claim();
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

    /** Runs a collective operation to its end, by messages. */
    void run(CollectiveSchedule schedule) {
        runtime.collectives().run(state, schedule, 0);
    }

    /** No rank leaves before every rank has entered. */
    public void barrier() {
        if (state.isUniform()) {
            state.uniformCollectives()
                    .run("barrier", () -> runtime.collectives().barrier(state));
        } else {
            runtime.collectives().barrier(state);
        }
    }

    /** The root's {@code data} at all ranks. */
    public void broadcast(CollectiveBuffer data, int root) {
        if (state.isUniform()) {
            state.uniformCollectives().run("bcast", () -> runtime.collectives().broadcast(state, data, root));
        } else {
            runtime.collectives().broadcast(state, data, root);
        }
    }

    /**
     * The parts of all ranks, at the root.
     *
     * @param send null if the root's part is in its place
     * @param receive null at all but the root
     * @param areEqual whether all parts are equally long by the kind of the call: the same at all members
     */
    public void gather(CollectiveBuffer send, CollectiveBuffer receive, boolean areEqual, int root) {
        if (state.isUniform()) {
            state.uniformCollectives()
                    .run("gather", () -> runtime.collectives().gather(state, send, receive, areEqual, root));
        } else {
            runtime.collectives().gather(state, send, receive, areEqual, root);
        }
    }

    /**
     * Part r of the root's buffer at rank r.
     *
     * @param send null at all but the root
     * @param receive null if the root's part is to stay in its place
     */
    public void scatter(CollectiveBuffer send, CollectiveBuffer receive, int root) {
        if (state.isUniform()) {
            state.uniformCollectives()
                    .run("scatter", () -> runtime.collectives().scatter(state, send, receive, root));
        } else {
            runtime.collectives().scatter(state, send, receive, root);
        }
    }

    /**
     * The parts of all ranks, by rank, at all ranks; {@code send} is null if this rank's part is in its place in
     * {@code receive}.
     */
    public void allGather(CollectiveBuffer send, CollectiveBuffer receive) {
        if (state.isUniform()) {
            state.uniformCollectives()
                    .run("allGather", () -> runtime.collectives().allGather(state, send, receive));
        } else {
            runtime.collectives().allGather(state, send, receive);
        }
    }

    /** Part r of {@code send} goes to rank r. */
    public void allToAll(CollectiveBuffer send, CollectiveBuffer receive) {
        if (state.isUniform()) {
            state.uniformCollectives()
                    .run("allToAll", () -> runtime.collectives().allToAll(state, send, receive));
        } else {
            runtime.collectives().allToAll(state, send, receive);
        }
    }

    /**
     * A part of {@code send} to each destination, a part of {@code receive} from each source.
     *
     * @param operation as the program wrote it
     * @param send has one part, which goes to each destination, or a part for each
     */
    public void neighbors(String operation, Neighborhood neighbors, CollectiveBuffer send, CollectiveBuffer receive) {
        if (state.isUniform()) {
            state.uniformCollectives()
                    .run(operation, () -> runtime.collectives().neighbors(state, operation, neighbors, send, receive));
        } else {
            runtime.collectives().neighbors(state, operation, neighbors, send, receive);
        }
    }

    /** Part r of {@code send} goes to rank r, in packed bytes, as a step of the operation {@code operation}. */
    public void exchange(
            String operation, ByteBuffer send, Blocks sendBlocks, ByteBuffer receive, Blocks receiveBlocks) {
        run(new AllToAllSchedule(operation, send, sendBlocks, receive, receiveBlocks));
    }

    /** All vectors combined, at the root; {@code receive} is null elsewhere, and may be {@code send}. */
    public void reduce(
            CollectiveBuffer send, CollectiveBuffer receive, int elementBytes, Reduction reduction, int root) {
        if (state.isUniform()) {
            state.uniformCollectives().run("reduce", () -> runtime.collectives()
                    .reduce(state, send, receive, elementBytes, reduction, root));
        } else {
            runtime.collectives().reduce(state, send, receive, elementBytes, reduction, root);
        }
    }

    /** All vectors combined, at all ranks; {@code receive} may be {@code send}. */
    public void allReduce(CollectiveBuffer send, CollectiveBuffer receive, int elementBytes, Reduction reduction) {
        if (state.isUniform()) {
            state.uniformCollectives().run("allReduce", () -> runtime.collectives()
                    .allReduce(state, send, receive, elementBytes, reduction));
        } else {
            runtime.collectives().allReduce(state, send, receive, elementBytes, reduction);
        }
    }

    /** The vectors of ranks 0 to r combined, at rank r; {@code receive} may be {@code send}. */
    public void scan(CollectiveBuffer send, CollectiveBuffer receive, int elementBytes, Reduction reduction) {
        if (state.isUniform()) {
            state.uniformCollectives()
                    .run("scan", () -> runtime.collectives().scan(state, send, receive, elementBytes, reduction));
        } else {
            runtime.collectives().scan(state, send, receive, elementBytes, reduction);
        }
    }

    /** The vectors of the ranks before r combined, at rank r; at rank 0 {@code receive} stays as it is. */
    public void exclusiveScan(CollectiveBuffer send, CollectiveBuffer receive, int elementBytes, Reduction reduction) {
        if (state.isUniform()) {
            state.uniformCollectives().run("exScan", () -> runtime.collectives()
                    .exclusiveScan(state, send, receive, elementBytes, reduction));
        } else {
            runtime.collectives().exclusiveScan(state, send, receive, elementBytes, reduction);
        }
    }

    /** Part r of all vectors combined, at rank r. */
    public void reduceScatter(CollectiveBuffer send, CollectiveBuffer receive, int elementBytes, Reduction reduction) {
        if (state.isUniform()) {
            state.uniformCollectives().run("reduceScatter", () -> runtime.collectives()
                    .reduceScatter(state, send, receive, elementBytes, reduction));
        } else {
            runtime.collectives().reduceScatter(state, send, receive, elementBytes, reduction);
        }
    }

    /**
     * All vectors combined, at all ranks, by an operation with a description. The result lies between position and
     * limit of its buffer; neither is moved. After an error the content of that buffer is unspecified.
     *
     * @param mine this rank's vector, over which the result is written in the end; after an error it is unchanged. Null
     *     if the vector is in {@code result}
     * @param description the number by which members compare which operation each is in: equal at all members, or the
     *     operation is in error. 0 means none, and is not compared
     * @return whether all others were known to have begun the operation when it ended here: then they have the results
     *     of all operations before
     * @throws DescriptionMismatch at each rank that finds a member with another description; the others may wait until
     *     a rank revokes the communicator
     */
    public boolean describedAllReduce(
            Payload mine, ByteBuffer result, int elementBytes, Reduction reduction, long description) {
        return runtime.collectives().describedAllReduce(state, mine, result, elementBytes, reduction, description);
    }

    /**
     * As {@link #describedAllReduce}: the root's bytes at all ranks.
     *
     * @return false: the root does not wait for the other ranks
     */
    public boolean describedBroadcast(ByteBuffer data, int root, long description) {
        return runtime.collectives().describedBroadcast(state, data, root, description);
    }

    /**
     * As {@link #describedAllReduce}: equal parts of all ranks, by rank, at all ranks.
     *
     * @param mine this rank's part; null if the part is in its place in {@code all}
     */
    public boolean describedAllGather(Payload mine, ByteBuffer all, long description) {
        return runtime.collectives().describedAllGather(state, mine, all, description);
    }

    /** As {@link #describedAllReduce}: no rank leaves before every rank has entered. */
    public boolean describedBarrier(long description) {
        return runtime.collectives().describedBarrier(state, description);
    }

    /** Makes the communicator useless at every member. Idempotent, no matching call, never fails. */
    public void revoke() {
        engine.enter(state, "revoke");
        try {
            engine.control().revoke(state);
        } finally {
            engine.leave();
        }
    }

    /**
     * Sets whether, from now on, a revocation of this communicator also revokes all communicators that are made from
     * it. That holds at this rank only, so all members are to ask for it. It is for recovery loops: one rank may wait
     * on a communicator made from this one, while another rank failed to make it, does not know its id, and can only
     * revoke this one. Returns the setting before.
     */
    public boolean revokeOffspring(boolean doIt) {
        engine.enter();
        try {
            return state.revokeOffspring(doIt);
        } finally {
            engine.leave();
        }
    }

    public boolean isRevoked() {
        return state.isRevoked();
    }

    /**
     * Members ({@link #process}) known here to have failed, in the order in which that became known. The list only
     * grows, at its end.
     */
    public int[] failedRanks() {
        engine.enter();
        try {
            return state.failures().inOrder();
        } finally {
            engine.leave();
        }
    }

    /**
     * Acknowledges the first {@code count} of {@link #failedRanks}; 0 only asks.
     *
     * @return how many are acknowledged now
     */
    public int acknowledge(int count) {
        engine.enter();
        try {
            return state.failures().acknowledge(count);
        } finally {
            engine.leave();
        }
    }

    /**
     * The AND of the flags of all members that take part; all live ones must.
     *
     * @throws CallError of class {@link ErrorClass#PROC_FAILED}, with the agreed value, at every member alike, if a
     *     failed member is not acknowledged by every member
     */
    public int agree(int flag) {
        engine.enter(state, "agree");
        try {
            return runtime.recovery().agree(state, flag);
        } finally {
            engine.leave();
        }
    }

    /**
     * As {@link #agree}, for a value that is to be made known outside. If any member has returned with a value, even a
     * member that died since, all others return with the same value. Takes twice as long.
     */
    public int agreeUniformly(int flag) {
        engine.enter(state, "agree");
        try {
            return runtime.recovery().agreeUniformly(state, flag);
        } finally {
            engine.leave();
        }
    }

    /**
     * As {@link #agree} without waiting: the value is written to {@code result}, 4 bytes in native order, when the call
     * ends, also if it ends with {@link ErrorClass#PROC_FAILED}.
     */
    public CollectiveCall startAgree(int flag, Payload result) {
        engine.enter(state, "iAgree");
        try {
            return runtime.recovery().startAgree(state, flag, result);
        } finally {
            engine.leave();
        }
    }

    /** The failed ranks, the same list at every member; includes every failure known to a member before its call. */
    public int[] agreeFailed() {
        engine.enter(state, "agreeFailed");
        try {
            return runtime.recovery().agreeFailed(state);
        } finally {
            engine.leave();
        }
    }

    /** A communicator of the members that have not failed, in the same order. */
    public Communicator shrink() {
        engine.enter(state, "shrink");
        try {
            return runtime.recovery().shrink(state);
        } finally {
            engine.leave();
        }
    }

    /**
     * The world again with all its members: new processes take the places and ranks of those that failed, and every
     * other process keeps its rank. All live members must call it. The call waits for them, and for the new processes,
     * which the launcher starts ({@code mpiexec --max-restarts}), for at most {@code ulfm.replace.timeout}. The result
     * is COMM_WORLD from now on, here and at the new processes, whose {@code Init} ends with it. No message is under
     * way in it. Where no rank has failed only the id is new.
     *
     * <p>The COMM_WORLD before is given up. Other communicators that a dead process was in can still be shrunk and
     * freed: the new process is in none of them.
     *
     * @throws CallError of class {@link ErrorClass#COMM}, with nothing done, if this communicator does not have all
     *     members of the present world; of class {@link ErrorClass#SPAWN}, at every member alike, if a rank was not
     *     replaced (with {@code ulfm.replace.policy=shrink} it is left out instead); of class {@link ErrorClass#ARG} if
     *     others are in another collective recovery call; of class {@link ErrorClass#UNSUPPORTED_OPERATION} without
     *     fault tolerance
     */
    public Communicator replace() {
        engine.enter(state, "replace");
        try {
            return runtime.recovery().replace(state);
        } finally {
            engine.leave();
        }
    }

    /**
     * The world without its dead members, and with processes that wait to be let in, under new and higher slots. All
     * live members must call it; the call waits for them alone. The result is COMM_WORLD from now on, here and at the
     * new processes, whose {@code Init} ends with it. If no member is dead and no process waits, or none may be let in,
     * nothing changes, and the result is the COMM_WORLD that there is.
     *
     * @throws CallError of class {@link ErrorClass#COMM}, with nothing done, if this communicator does not have all
     *     members of the present world; of class {@link ErrorClass#ARG} if others are in another collective recovery
     *     call; of class {@link ErrorClass#SPAWN}, at every member alike, if the addresses of the members do not fit
     *     into one message; of class {@link ErrorClass#UNSUPPORTED_OPERATION} without fault tolerance, and in a job
     *     whose recovery mode lets processes in by itself
     */
    public Communicator grow() {
        engine.enter(state, "grow");
        try {
            if (runtime.growsInRecovery()) {
                throw RecoveryErrors.grownByRabit(state);
            }
            return runtime.recovery().grow(state);
        } finally {
            engine.leave();
        }
    }

    /**
     * As {@link #grow}, for the recovery mode of an elastic job: members that commit or sum up meanwhile learn that
     * their call is not done, and come to this one.
     *
     * @param letsIn whether processes that wait are let in; no process is if a member says no
     */
    public Communicator growInRecovery(boolean letsIn) {
        engine.enter(state, "grow");
        try {
            return runtime.recovery().growInRecovery(state, letsIn);
        } finally {
            engine.leave();
        }
    }

    /**
     * The notes of all members that take part, by slot; all live ones must. For the recovery mode, which gives meaning
     * to them.
     *
     * @param kind {@link Kind#COMMIT}, whose result also binds the others if a member that returned with it has died
     *     since, or {@link Kind#SUMMARY}
     */
    public AgreedNotes agreeNotes(Kind kind, byte[] note) {
        engine.enter(state, kind.callName());
        try {
            return runtime.recovery().agreeNotes(state, kind, note);
        } finally {
            engine.leave();
        }
    }

    /** The longest note that every member may write in one agreement. */
    public int mostNoteBytes() {
        return Contribution.mostNoteBytes(state.members().size());
    }

    /** As {@link #shrink} without waiting. */
    public CollectiveCall startShrink() {
        engine.enter(state, "iShrink");
        try {
            return runtime.recovery().startShrink(state);
        } finally {
            engine.leave();
        }
    }

    /**
     * The same members under a new id, with the same {@link ErrorHints}. Collective, but without a message unless these
     * ask for it.
     */
    public Communicator dup() {
        UniformOutcomes uniform = state.uniformCreations();
        ErrorHints hints = state.errorHints();
        return uniform == null ? dup("dup", hints) : uniform.make("dup", () -> dup("dup", hints));
    }

    /**
     * As {@link #dup()}, with these hints about errors in place of those of this communicator. All members are to give
     * the same, which they find out by an agreement.
     *
     * @param hints null for none
     * @throws CallError of class {@link ErrorClass#INFO_VALUE}, at all members alike, if they differ or are not allowed
     */
    public Communicator dupWithInfo(ErrorHints hints) {
        Communicator made = null;
        CallError own = null;
        boolean isWhole = false;
        try {
            try {
                made = dup("dupWithInfo", hints);
            } catch (CallError fault) {
                own = fault;
            }
            agreeOnHints("dupWithInfo", hints, own);
            isWhole = true;
            return made;
        } finally {
            if (!isWhole) {
                UniformOutcomes.drop(made);
            }
        }
    }

    private Communicator dup(String call, ErrorHints hints) {
        engine.enter(state, call);
        try {
            return runtime.factory().dup(state, call, hints);
        } finally {
            engine.leave();
        }
    }

    /**
     * Sets hints about errors; those that are not given stay. All members give the same, which they find out by an
     * agreement.
     *
     * @param hints null for none
     * @throws CallError of class {@link ErrorClass#INFO_VALUE}, at all members alike, if they differ or are not
     *     allowed; nothing has changed then
     */
    public void setErrorHints(ErrorHints hints) {
        agreeOnHints("setInfo", hints, null);
        if (hints == null) {
            return;
        }
        engine.enter(state, "setInfo");
        try {
            runtime.factory().setErrorHints(state, hints.over(state.errorHints()));
        } finally {
            engine.leave();
        }
    }

    /**
     * @param given null for none
     * @param own how the call failed here before its agreement; null if it did not
     */
    private void agreeOnHints(String call, ErrorHints given, CallError own) {
        ErrorHints hints = given == null ? ErrorHints.NONE : given;
        engine.enter(state, call);
        try {
            int ended = UniformOutcomes.flagOf(own == null ? ErrorClass.SUCCESS : own.error());
            int mine = hints.bits() | ended << ErrorHints.FREE_BITS;
            int agreed = runtime.recovery().agreeOnHints(state, mine);
            if (!ErrorHints.areEqual(agreed)) {
                throw hints.refused(state, call);
            }
            ErrorClass common = UniformOutcomes.commonOf(agreed >> ErrorHints.FREE_BITS);
            if (common != ErrorClass.SUCCESS) {
                throw own != null ? own : UniformOutcomes.elsewhere(state, call, ErrorClass.SUCCESS, common);
            }
        } finally {
            engine.leave();
        }
    }

    /**
     * The same members under another id, for a library that must not meet the program's messages: one per communicator.
     * All members call this, each at any time. The call sends no message, and failures do not stop it.
     */
    public Communicator companion(String label) {
        engine.enter(state, "companion");
        try {
            return runtime.factory().companion(state, label);
        } finally {
            engine.leave();
        }
    }

    /** {@link #dup} as an operation: an error is raised when the operation is looked at. */
    public CollectiveCall startDup() {
        engine.enter(state, "iDup");
        try {
            return runtime.factory().startDup(state);
        } finally {
            engine.leave();
        }
    }

    /** The members with the same colour, ordered by key, then by rank here; null for {@link #UNDEFINED}. */
    public Communicator split(int colour, int key) {
        UniformOutcomes uniform = state.uniformCreations();
        return uniform == null ? splitHere(colour, key) : uniform.make("split", () -> splitHere(colour, key));
    }

    private Communicator splitHere(int colour, int key) {
        engine.enter(state, "split");
        try {
            return runtime.factory().split(state, colour, key);
        } finally {
            engine.leave();
        }
    }

    /** The members of this rank's host, ordered by key, then by rank here; null at a member that takes no part. */
    public Communicator splitByHost(boolean takesPart, int key) {
        UniformOutcomes uniform = state.uniformCreations();
        return uniform == null
                ? splitByHostHere(takesPart, key)
                : uniform.make("splitType", () -> splitByHostHere(takesPart, key));
    }

    private Communicator splitByHostHere(boolean takesPart, int key) {
        engine.enter(state, "splitType");
        try {
            return runtime.factory().splitByHost(state, takesPart, key);
        } finally {
            engine.leave();
        }
    }

    /** A communicator of the given ranks in the given order; null at the others. Collective over this communicator. */
    public Communicator create(int[] ranks) {
        return create(ranks, "create", "part of ");
    }

    /**
     * As {@link #create(int[])}.
     *
     * @param operation as the program wrote it
     * @param origin the beginning of the label, for example {@code "grid of "}
     */
    public Communicator create(int[] ranks, String operation, String origin) {
        UniformOutcomes uniform = state.uniformCreations();
        return uniform == null
                ? createHere(ranks, operation, origin)
                : uniform.make(operation, () -> createHere(ranks, operation, origin));
    }

    private Communicator createHere(int[] ranks, String operation, String origin) {
        engine.enter(state, operation);
        try {
            return runtime.factory().create(state, ranks, operation, origin);
        } finally {
            engine.leave();
        }
    }

    /**
     * A communicator of all members in the same order, made after they have told each other something on this one. If
     * that fails here, no other member will wait for this rank on the new communicator.
     *
     * @param operation as the program wrote it
     * @param origin the beginning of the label, for example {@code "graph of "}
     * @param exchange collective operations of this communicator; called without the engine lock
     */
    public Communicator createAfter(String operation, String origin, Runnable exchange) {
        UniformOutcomes uniform = state.uniformCreations();
        return uniform == null
                ? createHere(operation, origin, exchange)
                : uniform.make(operation, () -> createHere(operation, origin, exchange));
    }

    private Communicator createHere(String operation, String origin, Runnable exchange) {
        CommunicatorFactory factory = runtime.factory();
        long id = begin(operation, factory);
        boolean isExchanged = false;
        try {
            exchange.run();
            isExchanged = true;
        } finally {
            if (!isExchanged) {
                abort(id, factory);
            }
        }
        engine.enter(state, operation);
        try {
            return factory.createWhole(state, id, operation, origin);
        } finally {
            engine.leave();
        }
    }

    private long begin(String operation, CommunicatorFactory factory) {
        engine.enter(state, operation);
        try {
            return factory.idOfWhole(state);
        } finally {
            engine.leave();
        }
    }

    private void abort(long id, CommunicatorFactory factory) {
        engine.lock().lock();
        try {
            if (!engine.isOver()) {
                factory.abortWhole(state, id);
            }
        } finally {
            engine.leave();
        }
    }

    /** As {@link #create(int[])}, called by the given ranks only; {@code tag} tells calls of one group apart. */
    public Communicator createGroup(int[] ranks, int tag) {
        UniformOutcomes uniform = outcomesOfGroup(ranks, tag);
        if (uniform == null) {
            return createGroupHere(ranks, tag);
        }
        try {
            return uniform.make("createGroup", () -> createGroupHere(ranks, tag));
        } finally {
            engine.lock().lock();
            try {
                if (!engine.isOver()) {
                    engine.free(uniform.agreeing());
                }
            } finally {
                engine.leave();
            }
        }
    }

    /** How one call of createGroup ends alike at the members of the group; null unless it does. */
    private UniformOutcomes outcomesOfGroup(int[] ranks, int tag) {
        engine.enter(state, "createGroup");
        try {
            return state.uniformCreations() == null ? null : runtime.factory().outcomesOfGroup(state, ranks, tag);
        } finally {
            engine.leave();
        }
    }

    private Communicator createGroupHere(int[] ranks, int tag) {
        engine.enter(state, "createGroup");
        try {
            return runtime.factory().createGroup(state, ranks, tag);
        } finally {
            engine.leave();
        }
    }

    /**
     * Makes an inter-communicator of the members of this communicator and of those of another. All members of both call
     * this.
     *
     * @param leader rank of the leader here
     * @param peer the communicator in which the leaders find each other; null at all but the leader, and at a leader
     *     with a {@code mistake}
     * @param remoteLeader rank of the other leader in {@code peer}
     * @param mistake the error of the leader's arguments, of which the other members are told; null if there is none
     */
    public Communicator createInter(int leader, Communicator peer, int remoteLeader, int tag, CallError mistake) {
        UniformOutcomes uniform = state.uniformCreations();
        return uniform == null
                ? createInterHere(leader, peer, remoteLeader, tag, mistake)
                : uniform.make("createIntercomm", () -> createInterHere(leader, peer, remoteLeader, tag, mistake));
    }

    private Communicator createInterHere(int leader, Communicator peer, int remoteLeader, int tag, CallError mistake) {
        engine.enter(state, "createIntercomm");
        try {
            InterCommunicators.Leading leading = rank() != leader
                    ? null
                    : new InterCommunicators.Leading(
                            peer == null ? null : peer.state,
                            peer == null ? -1 : peer.state.memberOf(remoteLeader),
                            tag,
                            mistake);
            return runtime.inter().create(state, leader, leading);
        } finally {
            engine.leave();
        }
    }

    /** A communicator of both groups of this inter-communicator; a group that gives {@code high} comes second. */
    public Communicator merge(boolean high) {
        UniformOutcomes uniform = state.uniformCreations();
        return uniform == null ? mergeHere(high) : uniform.make("merge", () -> mergeHere(high));
    }

    private Communicator mergeHere(boolean high) {
        engine.enter(state, "merge");
        try {
            return runtime.inter().merge(state, high);
        } finally {
            engine.leave();
        }
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
