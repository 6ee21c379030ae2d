package org.ulfmj.runtime.progress;

import java.util.List;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.transport.Fabric;

/**
 * The one place in which a rank waits: every blocking call ends in {@link #await}. It also says which thread works for
 * the rank while no thread of the program is inside MPI.
 *
 * <p>Everything is called under the engine lock but {@link #onCall} and {@link #awaitEnd}.
 */
public interface Progress {
    /** Makes the progress of an engine. */
    interface Maker {
        /** Called from the engine's constructor: the engine is to be used later only. */
        Progress of(Engine engine, Fabric fabric, RankSettings settings);
    }

    /** A thread that waits and has given up polling, and since when. */
    record WaitingThread(Thread thread, Completion completion, long sinceNs) {}

    /** Begins the work of the thread in the background, if there is one: the engine is complete. */
    void start();

    /** Waits until no thread works in the background any more; soon after the rank is over. */
    void awaitEnd();

    /** Notes that the calling thread begins a call of the program. */
    void onCall(String operation);

    /**
     * Returns when {@code completion} is done. Called with the engine lock held once, which is let go and taken again
     * meanwhile.
     *
     * <p>Throws what {@link Engine#checkRunning} does if this rank ends first.
     */
    void await(Completion completion);

    /** A call needed neither a wait nor a poll: now and then one is made, for other input and for timers. */
    void onUnpolledCall();

    /**
     * One poll by a caller that does not wait, and a piece of local work that is due, for which the lock is let go. A
     * program that only tests is to help others on, too.
     */
    void pollOnce();

    /**
     * Called when a caller is about to let the lock go: wakes the threads whose wait is over, and a sleeping thread if
     * work is left.
     */
    void onLeave();

    /** Notes that the calling thread has run a piece of local work. Without the engine lock. */
    default void onPiece() {}

    /** Notes that the running call is about to end with an error. Work that can wait is not to delay that end. */
    default void onError() {}

    /**
     * Notes that the running call leaves a long operation under way, which a thread in the background is to work for at
     * once.
     */
    default void onLongStart() {}

    /**
     * As {@link #onLongStart}, for an operation whose first part the caller has done itself: a thread in the background
     * is to work for it soon, unless a thread of the program polls.
     */
    default void onLongBegun() {}

    /**
     * Notes that other ranks are to end sleeps of this rank from now on. A sleep that began before does not say so to
     * them: it ends, and a new one begins.
     */
    default void onUrgent() {}

    /** Wakes every thread that waits: this rank is over. */
    void signalAll();

    /** Whether a caller waits. */
    boolean isWaitedIn();

    /** Returns all threads that wait, for a report of waits. */
    List<WaitingThread> waits();
}
