package org.ulfmj.runtime.collective;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.ulfmj.runtime.progress.Completion;
import org.ulfmj.runtime.reduction.Reduction;

/**
 * One collective operation at one rank, as a state machine: rounds of messages and the local work between them.
 *
 * <p>To drive a schedule, call {@link #advance} under the engine lock whenever one of its operations may have ended.
 * That call never blocks. {@link State#STEP_DUE} asks the owner of this operation (of a blocking one, the thread that
 * called it) to let the lock go, to run the step by {@link #runDueStep}, or in pieces by {@link #runPiece}, and to
 * advance again; other threads that advance it meanwhile get the same answer and do nothing. Work is left to the owner
 * if it calls the program's code, which might call MPI, or if it takes longer than the lock may be held.
 *
 * <p>When one of its messages fails, the driver cuts the others short and advances the schedule no more. The content of
 * the schedule's receive buffer is then unspecified.
 *
 * <p>Buffers are used from their position to their limit; neither may be moved before the end. They hold packed
 * elements in native order. A schedule is used once. Some kinds can be set for another operation, after one that has
 * succeeded ({@link #reset}).
 */
public abstract class CollectiveSchedule {
    /** What {@link #advance} found. */
    public enum State {
        /** Messages are under way. */
        WAITING,
        /** {@link CollectiveSchedule#runDueStep} is due. */
        STEP_DUE,
        /** The result is complete, and the buffers belong to the caller again. */
        DONE
    }

    /** The largest number of bytes that local work may touch in one go under the engine lock. */
    static final int LOCKED_WORK_BYTES = 64 * 1024;

    protected static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private String operation;
    private Reduction reduction;
    private int elementBytes;
    private boolean keepsEmpty;
    private CollectiveBuffer result;
    private final Plan plan = new Plan();
    private boolean isPrepared;
    private int at;
    /** How many bytes of the present step of local work are done, if the step is done in pieces. */
    private int workedBytes;

    private Completion[] pending = new Completion[4];
    private int pendingCount;
    /**
     * Whether a step of local work is due, which the owner of the operation is to run. The owner clears it without the
     * lock once it has run the step; other threads read it under the lock.
     */
    private volatile boolean stepIsDue;

    protected CollectiveSchedule(String operation) {
        this(operation, null, 0);
    }

    protected CollectiveSchedule(String operation, Reduction reduction, int elementBytes) {
        this.operation = operation;
        this.reduction = reduction;
        this.elementBytes = elementBytes;
    }

    /** Sets the name of the operation as the program wrote it, for a schedule class that serves several operations. */
    protected final void named(String newOperation) {
        operation = newOperation;
    }

    /** Sets by what the next operation combines. */
    protected final void combinesBy(Reduction newReduction, int newElementBytes) {
        reduction = newReduction;
        elementBytes = newElementBytes;
    }

    /**
     * Forgets an operation that has succeeded: all its messages are over, so that none of them can still come. The
     * schedule may then be set for another operation. A schedule that failed is never set again.
     */
    public final void reset() {
        plan.clear();
        isPrepared = false;
        at = 0;
        keepsEmpty = false;
        result = null;
        reduction = null;
        forget();
    }

    /** Forgets the arguments of an operation that is over. To be overridden by schedules that can be set again. */
    protected void forget() {}

    /** The name of the operation as a call of package {@code mpi}, for error messages: {@code allReduce}. */
    public final String operation() {
        return operation;
    }

    /**
     * Makes the schedule end by bringing the packed result to the buffer of the program. To be called before
     * {@link #prepare}.
     */
    public final void deliverTo(CollectiveBuffer newResult) {
        result = newResult;
    }

    /**
     * Writes down what this rank will do and takes memory for it, which costs time by its size: to be called before the
     * engine lock is taken. Else the first {@link #advance} does it.
     */
    public final void prepare(int rank, int size) {
        plan.begin(rank, size, reduction, elementBytes, keepsEmpty);
        isPrepared = true;
        plan(plan);
        if (result != null) {
            plan.deliver(result);
        }
    }

    /**
     * As {@link #prepare}, with all messages, also those of no bytes: so every rank has the partners of the full
     * operation.
     */
    public final void prepareWhole(int rank, int size) {
        keepsEmpty = true;
        prepare(rank, size);
    }

    /** The ranks that this rank sends to or receives from, ascending; after {@link #prepare}. */
    public final int[] partners() {
        return plan.partners();
    }

    /** How many bytes this rank sends and receives; after {@link #prepare}. */
    public final long messageBytes() {
        return plan.messageBytes();
    }

    /**
     * After {@link #prepareWhole}: whether this rank gets its result only when all other ranks have begun the
     * operation. If so, all of them have the results of every operation before.
     */
    public boolean waitsForAll() {
        return false;
    }

    /**
     * Gives up a prepared schedule that will never be advanced: its memory for intermediate results is given back,
     * since no message is on its way into it.
     */
    public final void discard() {
        plan.releaseScratch();
    }

    /** Goes on with the schedule as far as possible without waiting. Under the engine lock. */
    public final State advance(Messenger messenger) {
        if (stepIsDue) {
            return State.STEP_DUE;
        }
        if (!isPrepared) {
            prepare(messenger.rank(), messenger.size());
        }
        int lockedBytes = 0;
        while (!plan.isEnd(at)) {
            if (plan.kind(at) == Plan.AWAIT) {
                if (!messagesAreDone()) {
                    return State.WAITING;
                }
            } else if (plan.isLocalWork(at)) {
                lockedBytes += Math.min(plan.length(at), LOCKED_WORK_BYTES + 1);
                if (lockedBytes > LOCKED_WORK_BYTES || plan.callsUserCode(at)) {
                    stepIsDue = true;
                    return State.STEP_DUE;
                }
                plan.work(at);
            } else {
                start(messenger);
            }
            at = plan.next(at);
        }
        if (!messagesAreDone()) {
            return State.WAITING;
        }
        plan.releaseScratch();
        return State.DONE;
    }

    /**
     * Runs all local work up to the next message, after {@link #advance} has returned {@link State#STEP_DUE}: the work
     * calls the program's code, or is too long for the engine lock. The owner of the operation calls this method
     * without that lock.
     */
    public final void runDueStep() {
        if (!stepIsDue) {
            throw new IllegalStateException(operation + " has no step to run");
        }
        while (plan.isLocalWork(at)) {
            plan.work(at);
            at = plan.next(at);
        }
        stepIsDue = false;
    }

    /** Whether a step of local work waits for {@link #runPiece} or {@link #runDueStep}. */
    public final boolean isStepDue() {
        return stepIsDue;
    }

    /** Whether the due step calls code of the program. */
    public final boolean callsProgram() {
        return plan.callsUserCode(at);
    }

    /**
     * Runs a piece of the due step, without the engine lock: local work of about this many bytes, but nothing that
     * calls code of the program; or, if the step begins with a combination by the program's operator, that one
     * combination.
     */
    public final void runPiece(int mostBytes) {
        if (callsProgram()) {
            plan.work(at);
            at = plan.next(at);
        } else {
            int left = mostBytes;
            while (left > 0 && plan.isLocalWork(at) && !plan.callsUserCode(at)) {
                int before = workedBytes;
                workedBytes = plan.work(at, before, left);
                left -= workedBytes - before;
                if (workedBytes == plan.length(at)) {
                    workedBytes = 0;
                    at = plan.next(at);
                }
            }
        }
        if (!plan.isLocalWork(at)) {
            stepIsDue = false;
        }
    }

    /** Writes down what this rank does. */
    protected abstract void plan(Plan plan);

    /**
     * A caller's buffer from its position to its limit, as offsets from 0 to the limit in native order. That is the
     * buffer itself if its position is 0 and it has this order.
     */
    protected static ByteBuffer view(ByteBuffer buffer) {
        return buffer.position() == 0 && buffer.order() == ByteOrder.nativeOrder()
                ? buffer
                : buffer.slice().order(ByteOrder.nativeOrder());
    }

    protected final void requireEqual(int sendLength, int receiveLength) {
        if (sendLength != receiveLength) {
            throw new IllegalArgumentException(operation + " sends " + sendLength + " bytes and has room for "
                    + receiveLength + "; both must be equal");
        }
    }

    private void start(Messenger messenger) {
        if (pendingCount == pending.length) {
            pending = Arrays.copyOf(pending, 2 * pendingCount);
        }
        int peer = plan.peer(at);
        pending[pendingCount++] = plan.kind(at) == Plan.SEND
                ? messenger.send(peer, plan.buffer(at), plan.offset(at), plan.length(at))
                : messenger.receive(peer, plan.buffer(at), plan.offset(at), plan.length(at));
    }

    private boolean messagesAreDone() {
        while (pendingCount > 0) {
            if (!pending[pendingCount - 1].isDone()) {
                return false;
            }
            pending[--pendingCount] = null;
        }
        return true;
    }
}
