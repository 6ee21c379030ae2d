package org.ulfmj.runtime.progress;

import java.util.concurrent.locks.ReentrantLock;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.flight.WaitEvent;

/**
 * A rank's engine as its waits know it: the lock that guards the whole rank, a method that polls everything once, and
 * the time at which the next poll is due. Waits do not know what a poll consists of.
 *
 * <p>Every method is called under the lock, except {@link #id}, {@link #lock}, {@link #enter}, {@link #nowNs},
 * {@link #isOver} and {@link #onPiece}. In a simulated world {@link RankTurn} also calls {@link #hasInMemory},
 * {@link #nextDeadlineNs} and {@link #hasWork} without the lock.
 */
public interface Engine {
    ProcessId id();

    ReentrantLock lock();

    /**
     * Takes the engine lock, when a call of the program begins, or goes on after work without the lock. Throws if this
     * rank is over.
     */
    void enter();

    /** Releases the engine lock, when a call of the program ends, or goes on without the lock. */
    void leave();

    /**
     * Lets those of the given ranks that sleep be woken when the present call releases the engine lock; by default they
     * are woken at once. So the data that the call has shown them in shared memory does not cost a memory fence beside
     * that of the lock.
     */
    default void ringOnLeave(Sleepers sleepers) {
        sleepers.ring();
    }

    /** Wakes at once the ranks of {@link #ringOnLeave}: the thread is about to wait without the lock. */
    default void ringNow() {}

    long nowNs();

    /**
     * Polls everything once: what has arrived, what is due, and what can go on. Returns how much was done; 0 means that
     * the caller may wait.
     *
     * @param withSeat whether the caller has the seat: then the selector is read too, and timers run
     */
    int poll(boolean withSeat);

    /** Counts a call that found its input without a poll as one of {@link #polls}. */
    void countUnpolledCall();

    /** How often the engine was polled so far, with the calls that {@link #countUnpolledCall} has counted. */
    long polls();

    /** When the seat was used last. */
    long lastSeatPollNs();

    /** The time at which a thread with the seat is to poll even without input; {@link Long#MAX_VALUE} means never. */
    long nextDeadlineNs();

    /** Whether the engine has work that can be done, or tried again, without input. */
    boolean hasWork();

    /**
     * Whether a step of local work is due that no thread runs yet.
     *
     * @param alsoOfProgram whether steps that call code of the program count: only a thread that is inside a call of
     *     the program runs these
     */
    boolean hasStep(boolean alsoOfProgram);

    /** Runs a piece of a due step of local work, if one is due. The lock is released meanwhile. */
    void runStep(boolean alsoOfProgram);

    /**
     * Notes that the calling thread, which does not hold the lock now, has run a piece of a step and is about to take
     * the lock.
     */
    default void onPiece() {}

    /** Whether a step with an operator of the program is due that may not run, because too many such steps run now. */
    default boolean isFullOfOperators() {
        return false;
    }

    /**
     * Whether an operation never ends, because its step may not run before an operator ends, and all operators that run
     * are on the stack of the thread that waits for the operation.
     */
    default boolean isNeverEnding(Completion operation, Thread waiter) {
        return false;
    }

    /**
     * Whether a non-blocking collective operation is under way that can go on while the program computes, if a thread
     * works for it.
     */
    boolean hasStarted();

    /**
     * Whether non-blocking operations are under way in memory that ranks share, whose progress is seen there without a
     * poll.
     */
    default boolean hasInMemory() {
        return false;
    }

    /**
     * Whether a long operation is under way whose progress is seen in shared memory: such an operation goes on while
     * the program computes.
     */
    default boolean hasLongInMemory() {
        return false;
    }

    /**
     * Lets the operations whose progress is seen in shared memory go on as far as what other ranks have written there
     * allows.
     */
    default void lookInMemory() {}

    /**
     * Lets one operation whose progress is seen in shared memory go on.
     *
     * @param isAwaited whether the thread that waits for it had to look more than once
     */
    default void goOnInMemory(SeenInMemory operation, boolean isAwaited) {
        operation.onSeen(isAwaited);
    }

    /**
     * Notes that a thread begins to wait for requests while operations are under way whose progress is seen in shared
     * memory ({@link #hasInMemory}). The note holds until {@link #endMemoryWait}.
     */
    default void beginMemoryWait() {}

    default void endMemoryWait() {}

    /** Looks whether the program still calls MPI. The progress thread calls this method between its polls and naps. */
    void watchCalls();

    /** Whether this rank has ended. */
    boolean isOver();

    /** Whether the thread that waits now must call {@link #checkRunning}, which may throw. */
    boolean isWaitOver();

    /** Throws if this rank has ended, or if the thread that waits must stop waiting. */
    void checkRunning();

    /** Ends this rank because of an error inside the library, after which the rank cannot go on. */
    void breakDown(Throwable error);

    /**
     * Notes that a wait goes on after its spin, if it had one. Returns the event that records this wait in a flight
     * recording, or null if no event is recorded.
     */
    WaitEvent beginWait(Completion completion);
}
