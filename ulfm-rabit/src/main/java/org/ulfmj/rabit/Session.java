package org.ulfmj.rabit;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import mpi.Datatype;
import mpi.MPI;
import mpi.Op;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rabit.engine.CommitNote;
import org.ulfmj.rabit.engine.Entry;
import org.ulfmj.rabit.engine.Mismatch;
import org.ulfmj.rabit.engine.Place;
import org.ulfmj.rabit.engine.Replica;
import org.ulfmj.rabit.engine.ResultMemory;
import org.ulfmj.rabit.engine.Shape;
import org.ulfmj.rabit.spill.SpillSeal;
import org.ulfmj.runtime.RankBinding;
import org.ulfmj.runtime.RankRuntime;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.inject.KillPoints;
import org.ulfmj.runtime.options.LaunchEnvironment;
import org.ulfmj.runtime.reduction.Reduction;
import org.ulfmj.runtime.store.JobStore;

/**
 * One rank's part in the recovery mode: drives its {@link Replica} by the runtime's operations. An operation is
 * answered from the record if there is one, else made and recorded before the program's call returns; a rank that is
 * alone ({@link #isAlone}) records nothing. A failure on the way is left to {@link Recovery}; then the operation begins
 * again, unless its result is recorded by then or the recovery ends with an exception.
 *
 * <p>An operation that meets no failure makes no agreement. For one thread at a time.
 */
final class Session {
    private static final long IDLE_BYTES = 64L << 20;
    /** The value of {@code waitingCall} while the rank waits in no call. */
    static final long NO_CALL = 0;

    private final RankBinding binding;
    private final RankRuntime runtime;
    private final RabitSettings settings;
    private final ResultMemory memory = new ResultMemory(IDLE_BYTES);
    private final Replica replica;
    private final Recovery recovery;
    private final ModelCalls models;

    private RabitEpoch epoch;
    /**
     * The shape of the last reduction by an {@code Op}. Programs repeat reductions, and making a shape takes longer
     * than combining a few elements.
     */
    private Shape lastShape;

    private Datatype lastType;
    private Op lastOp;
    /**
     * The {@link Call} object, which the next operation uses again; null while an operation uses it, and after an
     * operation that threw.
     */
    private Call idleCall = new Call();

    private final boolean alone;
    /**
     * The error that ended this rank's part in the job, thrown again by each later operation, {@code loadCheckpoint},
     * checkpoint and shutdown; null while the part goes on.
     */
    private RabitException end;

    /** The error that was thrown for want of room in the log; null once the program has gone on. */
    private RabitException noRoom;

    private boolean agreedToEnd;
    private boolean closed;
    private long calls;
    /** Number of the call that waits for others now, or {@link #NO_CALL}; read by {@link Deadlines}. */
    private final AtomicLong waitingCall = new AtomicLong();

    Session(RankBinding binding, RankRuntime runtime, RabitSettings settings) {
        this.binding = binding;
        this.runtime = runtime;
        this.settings = settings;
        ProcessId me = runtime.id();
        this.replica = new Replica(
                me, joins(), settings.resultCopies(), settings.localCopies(), settings.logBytes() / 4, memory);
        this.epoch = new RabitEpoch(runtime.world(), 0);
        this.replica.enter(epoch.members());
        this.alone = epoch.size() == 1 && !runtime.isElastic();
        this.recovery = new Recovery(this);
        this.models = new ModelCalls(this, replica, recovery);
        if (runtime.isElastic()) {
            runtime.beginToGrowInRecovery();
        }
    }

    /** Lets this process, which may be a replacement, learn from the other ranks what it lacks, and fetch that. */
    void join() {
        beginWait();
        try {
            recovery.join();
        } finally {
            endWait();
        }
    }

    RankBinding binding() {
        return binding;
    }

    /** Whether shutdown has come past the agreement of all ranks that the program has ended. */
    boolean isClosed() {
        return closed;
    }

    /** The calls for checkpoints and models. */
    ModelCalls models() {
        return models;
    }

    /** Whether the job is not elastic and has had one rank from the start: no other rank can need its results. */
    boolean isAlone() {
        return alone;
    }

    /** Whether the ranks can recover from a failure; otherwise a failure ends the job. */
    boolean canRecover() {
        return runtime.hasFaultTolerance();
    }

    /** The store of the job. */
    JobStore jobStore() {
        return runtime.store();
    }

    /** Returns the seal that tells this job's checkpoint files from others. */
    SpillSeal spillSeal() {
        String run = System.getenv(LaunchEnvironment.RUN_ID);
        long nonce = ByteBuffer.wrap(runtime.jobKey("rabit.spill.name")).getLong();
        String job = (run == null ? "job" : run.replaceAll("[^A-Za-z0-9]", "")) + "-"
                + HexFormat.of().toHexDigits(nonce);
        return new SpillSeal(job, runtime.jobKey("rabit.spill"));
    }

    /**
     * Whether this process may have come into a job that runs already. In an elastic job that is true of each process:
     * those of a world that begins do not know whether all processes of an earlier one have died.
     */
    boolean joins() {
        return runtime.id().incarnation() > 0 || runtime.isElastic();
    }

    /** Whether processes may join the job while it runs. */
    boolean isElastic() {
        return runtime.isElastic();
    }

    /** Whether this rank knows of a process that waits to be let in. */
    boolean isAwaited() {
        return runtime.isElastic() && runtime.waiting() > 0;
    }

    int slot() {
        return runtime.id().slot();
    }

    void faultPoint(String name) {
        runtime.faultPoint(name);
    }

    /**
     * Tells the runtime the version and the number of the operation that the program makes next. The triggers of a plan
     * of faults ({@code --inject}) may name this place.
     */
    void faultPosition() {
        runtime.faultPosition(replica.version(), replica.sequence());
    }

    // lazySet suffices: no other thread needs to see the number at once, and a fence would cost time.
    void beginWait() {
        waitingCall.lazySet(++calls);
    }

    void endWait() {
        waitingCall.lazySet(NO_CALL);
    }

    long waitingCall() {
        return waitingCall.get();
    }

    /**
     * Has the runtime end the call in which this rank waits, or else the next one that waits, because a call has waited
     * for longer than {@code ulfm.rabit.timeout}. May be called by any thread.
     */
    void giveUp() {
        runtime.giveUp("waited for more than ulfm.rabit.timeout (" + settings.timeoutNs() / 1_000_000 + " ms): "
                + runtime.waits().describe().replace('\n', ' ').strip());
    }

    /**
     * Ends this rank's part in the job for a reason that a new process in its place might not meet. The job may go on
     * with such a process.
     */
    RabitException broken(RabitException reason) {
        end = reason;
        return reason;
    }

    /**
     * Ends this rank's part in the job, and announces the reason as one for which no rank can go on. The job ends if
     * this rank ends with the exception.
     */
    RabitException over(RabitException reason) {
        runtime.jobEnd().announce(reason);
        return broken(reason);
    }

    RabitSettings settings() {
        return settings;
    }

    Replica replica() {
        return replica;
    }

    RabitEpoch epoch() {
        return epoch;
    }

    void enter(RabitEpoch next) {
        epoch = next;
        replica.enter(next.members());
    }

    int rank() {
        return epoch.rank();
    }

    int size() {
        return epoch.size();
    }

    int version() {
        return replica.version();
    }

    long logBytes() {
        return replica.logBytes();
    }

    long mostLogBytes() {
        return replica.mostLogBytes();
    }

    void onShrink(Repartition repartition) {
        if (repartition == null) {
            throw new IllegalArgumentException("Rabit.onShrink: the repartition is null");
        }
        recovery.onShrink(repartition);
    }

    void allReduce(String key, Object data, int count, Datatype type, Op op, Runnable prepare) {
        Reduction reduction = op == null ? null : MpiRank.get().reduction(op, type);
        if (reduction == null) {
            throw new IllegalArgumentException("Rabit.allreduce: " + op + " does not combine elements of " + type);
        }
        Reduction guarded = reduction.isUserCode() ? new GuardedReduction(reduction) : reduction;
        Call call = takeCall().of(shapeOf(type, count, op), key, data, type).combining(guarded, prepare);
        run(call);
        giveBack(call);
    }

    void allReduce(String key, Object data, int bytes, int itemBytes, Reducer reducer, Runnable prepare) {
        if (reducer == null) {
            throw new IllegalArgumentException("Rabit.allreduce: the reducer is null");
        }
        Shape shape = Shape.allReduce("item", itemBytes, bytes / itemBytes, "a reducer");
        Reduction guarded = new GuardedReduction(new RabitUserReduction(reducer));
        Call call = takeCall().of(shape, key, data, MPI.BYTE).combining(guarded, prepare);
        run(call);
        giveBack(call);
    }

    void broadcast(String key, Object data, int count, Datatype type, int root) {
        requireRoot(root);
        Shape shape = Shape.broadcast(type.toString(), MpiRank.get().elementBytes(type), count, root);
        Call call = takeCall().of(shape, key, data, type);
        run(call);
        giveBack(call);
    }

    byte[] broadcastBytes(String key, byte[] ofRoot, int root) {
        requireRoot(root);
        if (rank() == root && ofRoot == null) {
            throw new IllegalArgumentException("Rabit.broadcast: the root's bytes are null");
        }
        long[] length = {rank() == root ? ofRoot.length : 0};
        broadcast(key == null ? null : key + " (length)", length, 1, MPI.LONG, root);
        byte[] bytes = rank() == root ? ofRoot : new byte[(int) length[0]];
        broadcast(key, bytes, bytes.length, MPI.BYTE, root);
        return bytes;
    }

    void allGather(String key, Object mine, int count, Object all, int allCount, Datatype type) {
        if ((long) count * size() != allCount) {
            throw new IllegalArgumentException("Rabit.allgather: " + size() + " ranks give " + count
                    + " elements each, and there is room for " + allCount + "; it must be " + (long) count * size());
        }
        Shape shape = Shape.allGather(type.toString(), MpiRank.get().elementBytes(type), allCount);
        Call call = takeCall().of(shape, key, all, type).gathering(MpiRank.get().payload(mine, count, type));
        run(call);
        giveBack(call);
    }

    byte[][] allGatherBytes(String key, byte[] mine) {
        long[] lengths = new long[size()];
        allGather(key == null ? null : key + " (lengths)", new long[] {mine.length}, 1, lengths, size(), MPI.LONG);
        int longest = 0;
        for (long length : lengths) {
            longest = (int) Math.max(longest, length);
        }
        byte[] padded = new byte[longest];
        System.arraycopy(mine, 0, padded, 0, mine.length);
        byte[] all = new byte[Math.multiplyExact(longest, size())];
        allGather(key, padded, longest, all, all.length, MPI.BYTE);
        byte[][] parts = new byte[size()][];
        for (int rank = 0; rank < size(); rank++) {
            parts[rank] = new byte[(int) lengths[rank]];
            System.arraycopy(all, rank * longest, parts[rank], 0, parts[rank].length);
        }
        return parts;
    }

    private void requireRoot(int root) {
        if (root < 0 || root >= size()) {
            throw new IllegalArgumentException("Rabit.broadcast: root " + root + " is not from 0 to " + (size() - 1));
        }
    }

    private Shape shapeOf(Datatype type, int count, Op op) {
        if (lastShape == null || type != lastType || count != lastShape.count() || op != lastOp) {
            lastShape = Shape.allReduce(type.toString(), MpiRank.get().elementBytes(type), count, op.toString());
            lastType = type;
            lastOp = op;
        }
        return lastShape;
    }

    private Call takeCall() {
        Call call = idleCall == null ? new Call() : idleCall;
        idleCall = null;
        return call;
    }

    private void giveBack(Call call) {
        call.clear();
        idleCall = call;
    }

    /** B1: answers an operation of the program from the record, or makes it. */
    private void run(Call call) {
        enterCall(call.shape().kind().toString());
        Place place = placeOf(call);
        faultPosition();
        if (alone) {
            runAlone(call);
            return;
        }
        try {
            Entry recorded = replica.replay(call.shape(), place);
            if (recorded == null) {
                recorded = live(call, place);
            }
            call.show(recorded);
        } catch (Mismatch wrong) {
            throw recovery.desync(wrong, call.shape().toString());
        }
    }

    private Entry live(Call call, Place place) {
        requireRoom(call.shape());
        call.prepare();
        Entry recorded = null;
        beginWait();
        try {
            while (recorded == null) {
                recorded = attempt(call, place);
            }
        } finally {
            endWait();
        }
        return recorded;
    }

    private void requireRoom(Shape shape) {
        long bytes = replica.boundedLogBytes() + shape.lengthBytes();
        if (bytes > settings.logBytes()) {
            RabitException tooMuch = new RabitException(
                    "Rabit." + shape + " as " + replica.position() + ": with its result the log would hold " + bytes
                            + " bytes, more than ulfm.rabit.log.max (" + settings.logBytes()
                            + "); make checkpoints more often, or raise it",
                    null);
            runtime.jobEnd().announce(tooMuch); // the job ends if this rank ends with this error
            noRoom = tooMuch;
            throw tooMuch;
        }
        wentOn();
    }

    /**
     * Notes that the program has gone on after it was told that the log has no room, for instance because it made a
     * checkpoint. So this error does not end the job any more.
     */
    void wentOn() {
        if (noRoom != null) {
            runtime.jobEnd().takeBack(noRoom);
            noRoom = null;
        }
    }

    private void runAlone(Call call) {
        call.prepare();
        call.showOwn();
    }

    /**
     * Makes the operation, and returns its result. After a failure that the ranks recovered from, returns the recorded
     * result, or null if the operation is still to be made.
     */
    private Entry attempt(Call call, Place place) {
        Shape shape = call.shape();
        ByteBuffer result = memory.take(Math.toIntExact(shape.lengthBytes()));
        boolean waitedForAll;
        try {
            if (replica.isBarrierDue(shape)) {
                epoch.barrier(replica.barrierDescription());
                replica.barrierPassed();
            }
            waitedForAll = call.make(epoch, result, replica.description(shape, place));
        } catch (CallError fault) {
            // The memory for the result is left to the garbage collector, because late data may still be written to it.
            recovery.recover(fault, shape.toString());
            return replica.replay(shape, place);
        } catch (ReducerFailure wrong) {
            throw recovery.failed(shape.toString(), wrong.thrown());
        }
        faultPoint(replica.isBootstrap() ? KillPoints.RABIT_BOOTSTRAP : KillPoints.RABIT_BEFORE_LOG);
        return replica.completed(shape, place, result, waitedForAll && shape.waitsForAll());
    }

    /**
     * Returns the place or key by which an operation of the bootstrap phase is found again; null for a later operation,
     * which is found by its number.
     */
    private Place placeOf(Call call) {
        if (!replica.isBootstrap()) {
            return null;
        }
        if (!settings.bootstrap()) {
            throw new IllegalStateException("Rabit." + call.shape().kind()
                    + " before loadCheckpoint, where ulfm.rabit.bootstrap is off: results would not outlive the first"
                    + " checkpoint");
        }
        String site = RabitCallSite.here();
        return call.key() == null ? Place.ofSite(site) : Place.ofKey(call.key(), site);
    }

    /** Begins a call of the program. The triggers of a plan of deaths count these calls. */
    void enterCall(String name) {
        if (end != null) {
            throw end;
        }
        if (agreedToEnd) {
            throw new IllegalStateException("Rabit." + name + " after the end was agreed on");
        }
        try {
            runtime.enterCall(name);
        } catch (CallError over) {
            throw new RabitException("Rabit." + name + ": " + over.getMessage(), over);
        }
    }

    /** Agrees with all ranks that the program has ended. */
    void agreeToEnd() {
        enterCall("shutdown");
        beginWait();
        try {
            replica.requireAtEnd("shutdown");
            while (!recovery.commit(CommitNote.Intent.SHUTDOWN, null)) {
                replica.requireAtEnd("shutdown");
            }
        } catch (Mismatch wrong) {
            throw recovery.desync(wrong, "shutdown");
        } finally {
            endWait();
        }
        agreedToEnd = true;
    }

    void shutdown() {
        if (!agreedToEnd) {
            agreeToEnd();
        }
        closed = true;
        recovery.forgetSpilled();
        Deadlines.forget(this);
        MpiRank.get().leave("Rabit.shutdown");
    }

    /** Notes that the program begins again at its top. */
    void rerun() {
        replica.rerun();
    }
}
