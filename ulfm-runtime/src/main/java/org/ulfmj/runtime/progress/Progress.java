package org.ulfmj.runtime.progress;

import java.util.List;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.transport.Fabric;

/**
 * The one place in which a rank waits: every blocking call ends in {@link #await}. The implementation also decides
 * which thread works for the rank while no thread of the program is inside MPI.
 *
 * <p>All methods are called under the engine lock, except {@link #onCall}, {@link #onPiece} and {@link #awaitEnd}.
 */
public interface Progress {
    /** Makes the progress of an engine. */
    interface Maker {
        /**
         * Makes the progress of this engine. Called in the engine's constructor, so the engine must not be used before
         * it is complete.
         */
        Progress of(Engine engine, Fabric fabric, RankSettings settings);
    }

    /** A thread that waits and does not spin any more; what it waits for, and since when. */
    record WaitingThread(Thread thread, Completion completion, long sinceNs) {}

    /** Starts the background thread, if there is one. Called when the engine is complete. */
    void start();

    /**
     * Waits until no background thread works for the rank any more, which is soon after the rank has ended; the wait
     * has a bound.
     */
    void awaitEnd();

    /** Notes that the calling thread begins the named MPI call of the program. */
    void onCall(String operation);

    /**
     * Returns when {@code completion} is done. The caller holds the engine lock once; it may be released and taken
     * again during the wait.
     *
     * <p>Throws what {@link Engine#checkRunning} throws if this rank ends first or the wait is given up.
     */
    void await(Completion completion);

    /**
     * Notes a call that needed neither a wait nor a poll. After a number of such calls one of them polls, where no
     * other thread does, so that other input is read and timers run.
     */
    void onUnpolledCall();

    /**
     * Polls once for a caller that does not wait, and runs a piece of local work if one is due; the engine lock is
     * released during that work. So a program that only tests requests still helps operations on.
     */
    void pollOnce();

    /**
     * Called when a caller is about to release the engine lock: wakes the threads whose wait has ended, and a sleeping
     * thread if the engine has work left.
     */
    void onLeave();

    /** Notes that the calling thread has run a piece of local work. Called without the engine lock. */
    default void onPiece() {}

    /**
     * Notes that the running call is about to end with an error. Work that can wait must not delay the end of this
     * call.
     */
    default void onError() {}

    /**
     * Notes that the running call leaves a long operation under way, for which a background thread is to work at once.
     */
    default void onLongStart() {}

    /**
     * Notes that the running call leaves a long operation under way whose first part the caller has done itself. A
     * background thread is to work for it soon, unless a thread of the program polls.
     */
    default void onLongBegun() {}

    /**
     * Notes that other ranks must ring this rank from now on when it sleeps. A rank shows at the beginning of a sleep
     * that it wants to be rung; so a sleep that has begun already is ended, and the next one shows it.
     */
    default void onUrgent() {}

    /** Wakes every thread that waits in this rank, because the rank has ended or a wait is given up. */
    void signalAll();

    /** Whether a caller waits. */
    boolean isWaitedIn();

    /** Returns all threads that wait in this rank, for a report of waits. */
    List<WaitingThread> waits();
}
