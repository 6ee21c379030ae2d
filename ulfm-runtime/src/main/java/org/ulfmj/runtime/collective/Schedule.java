package org.ulfmj.runtime.collective;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.ulfmj.runtime.Completion;

/**
 * One collective operation at one rank, as a state machine: rounds of messages, each possibly followed by local work.
 *
 * <p>Driving it: call {@link #advance} under the engine lock whenever one of its operations may have ended. It never
 * blocks. {@link State#USER_STEP} asks the thread inside the call (or the wait) that owns this operation to let the lock
 * go, call {@link #runUserStep} once and advance again; other threads that advance it meanwhile get the same answer and
 * do nothing. A step is left to that thread if it calls the program's code, which might call MPI, or if it takes longer
 * than the lock may be held.
 *
 * <p>When an operation fails, the driver cancels the others and forgets the schedule; its receive buffer is then
 * unspecified.
 */
public abstract class Schedule {
    /** What {@link #advance} found. */
    public enum State {
        /** Messages are under way. */
        WAITING,
        /** {@link Schedule#runUserStep} is due. */
        USER_STEP,
        /** The result is complete and the buffers belong to the caller again. */
        DONE
    }

    /** Local work on more bytes than this is not done under the engine lock. */
    static final int LOCKED_WORK_BYTES = 64 * 1024;

    private final String operation;
    private Completion[] pending = new Completion[4];
    private int pendingCount;
    private boolean workIsLong;
    private boolean done;
    /** Written by the owner without the lock when it has run the step, read by others under it. */
    private volatile boolean workDue;

    Schedule(String operation) {
        this.operation = operation;
    }

    /** The MPI name of the operation, for messages: {@code allReduce}. */
    public final String operation() {
        return operation;
    }

    /** Goes as far as possible without waiting. Under the engine lock. */
    public final State advance(Messenger messenger) {
        while (!done) {
            if (!messagesAreDone()) {
                return State.WAITING;
            }
            if (workDue) {
                if (workIsLong) {
                    return State.USER_STEP;
                }
                work();
                workDue = false;
            }
            if (!startRound(messenger)) {
                done = true;
                release();
            }
        }
        return State.DONE;
    }

    /** Runs the step that {@link State#USER_STEP} asked for. Without the engine lock, by the owner of the operation. */
    public final void runUserStep() {
        if (!workDue || !workIsLong) {
            throw new IllegalStateException(operation + " has no step to run");
        }
        work();
        workDue = false;
    }

    /** Starts the messages of the next round and says what work follows them; false if there is no further round. */
    abstract boolean startRound(Messenger messenger);

    /** The local work that the round announced with {@link #thenWork}. */
    void work() {
        throw new IllegalStateException(operation + " announced work that it does not have");
    }

    /** Gives scratch memory back; called once, at the end of a schedule that succeeded. */
    void release() {}

    /** Sends within the current round; nothing is sent for no bytes, as the receiver knows the length too. */
    final void send(Messenger messenger, int peer, ByteBuffer data, int offset, int lengthBytes) {
        if (lengthBytes > 0) {
            await(messenger.send(peer, data, offset, lengthBytes));
        }
    }

    /** Receives within the current round. */
    final void receive(Messenger messenger, int peer, ByteBuffer data, int offset, int lengthBytes) {
        if (lengthBytes > 0) {
            await(messenger.receive(peer, data, offset, lengthBytes));
        }
    }

    /** The round is over only when this is done. */
    final void await(Completion operationOfRound) {
        if (pendingCount == pending.length) {
            pending = Arrays.copyOf(pending, 2 * pendingCount);
        }
        pending[pendingCount++] = operationOfRound;
    }

    /** The round ends with {@link #work} on so many bytes. */
    final void thenWork(long bytes, boolean callsUserCode) {
        workIsLong = callsUserCode || bytes > LOCKED_WORK_BYTES;
        workDue = true;
    }

    /** What a caller's buffer holds from its position to its limit, as offsets from 0 in native order. */
    static ByteBuffer view(ByteBuffer buffer) {
        return buffer.slice().order(ByteOrder.nativeOrder());
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
