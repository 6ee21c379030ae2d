package org.ulfmj.runtime.progress;

import java.util.concurrent.locks.ReentrantLock;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.flight.WaitEvent;

/**
 * A rank's engine as its waits know it: the lock that guards the whole rank, a method that does one turn of everything
 * there is to do, and the moment at which the next turn is due. Waits do not know what a turn consists of.
 *
 * <p>Every method is called under the lock, except {@link #id}, {@link #lock}, {@link #enter}, {@link #nowNs},
 * {@link #isOver} and {@link #onPiece}.
 */
public interface Engine {
    ProcessId id();

    ReentrantLock lock();

    /** Takes the lock: a call of the program begins, or comes back. Throws if this rank is over. */
    void enter();

    /** Lets the lock go: a call of the program ends, or goes on outside. */
    void leave();

    /**
     * Has these ranks looked at, and rung, when the call that holds the lock lets it go: what it has shown them is not
     * to cost it a fence beside that of the lock.
     */
    default void ringOnLeave(Sleepers sleepers) {
        sleepers.ring();
    }

    /** Does at once what {@link #ringOnLeave} has asked for: the thread is about to wait with the lock let go. */
    default void ringNow() {}

    long nowNs();

    /**
     * One turn of everything. Returns how much was done; 0 means that the caller may wait.
     *
     * @param withSeat the caller has the seat: the selector is read too, and timers run
     */
    int poll(boolean withSeat);

    /** A call found its input without a poll: counts as one of {@link #polls}. */
    void countUnpolledCall();

    /** How often the engine was polled so far. */
    long polls();

    /** When the seat was used last. */
    long lastSeatPollNs();

    /** When the seat is needed even without input; {@link Long#MAX_VALUE} is never. */
    long nextDeadlineNs();

    /** Whether something can be done, or tried again, without input. */
    boolean hasWork();

    /**
     * Whether a step of local work is due that no thread runs yet.
     *
     * @param alsoOfProgram whether steps that call code of the program count: only a thread that is inside a call of
     *     the program runs these
     */
    boolean hasStep(boolean alsoOfProgram);

    /** Runs a piece of such a step, if one is due. The lock is let go meanwhile. */
    void runStep(boolean alsoOfProgram);

    /** Notes that the calling thread, which has let the lock go, has run a piece of a step and is about to take it. */
    default void onPiece() {}

    /** Whether a step with an operator of the program is due that may not run, since too many run now. */
    default boolean isFullOfOperators() {
        return false;
    }

    /**
     * Whether an operation never ends because that is so, and all these operators are on the stack of the thread that
     * waits for it.
     */
    default boolean isNeverEnding(Completion operation, Thread waiter) {
        return false;
    }

    /** Whether an operation is under way that goes on while the program computes, if a thread works for it. */
    boolean hasStarted();

    /** Whether operations are under way whose progress is seen in memory that ranks share, without a poll. */
    default boolean hasInMemory() {
        return false;
    }

    /** Whether one of them is long: it goes on while the program computes. */
    default boolean hasLongInMemory() {
        return false;
    }

    /** Lets these operations go on as far as that memory shows. */
    default void lookInMemory() {}

    /**
     * Lets one of these operations go on.
     *
     * @param isAwaited whether the thread that waits had to look more than once
     */
    default void goOnInMemory(SeenInMemory operation, boolean isAwaited) {
        operation.onSeen(isAwaited);
    }

    /** Notes that a thread begins to wait for requests while {@link #hasInMemory}; until {@link #endMemoryWait}. */
    default void beginMemoryWait() {}

    default void endMemoryWait() {}

    /** To be called by the progress thread every 50 ms or more often: looks whether the program calls MPI. */
    void watchCalls();

    /** Whether the rank is over. Then no thread waits in it any more. */
    boolean isOver();

    /** Whether the running wait must call {@link #checkRunning}, which may throw. */
    boolean isWaitOver();

    /** Throws if this rank is over, or if the thread that waits is to stop waiting. */
    void checkRunning();

    /** Ends the rank, which cannot go on, since an error has ended a thread of the library. */
    void breakDown(Throwable error);

    /**
     * Notes that a wait goes on beyond its spin. Returns the event by which a flight recording hears of the wait, or
     * null.
     */
    WaitEvent beginWait(Completion completion);
}
