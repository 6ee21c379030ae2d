package org.ulfmj.runtime.progress;

import java.util.List;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.transport.Fabric;

/**
 * The one place in which a rank waits: every blocking call ends in {@link #await}. It also says who works for the rank
 * while none of its threads is inside.
 *
 * <p>Everything is called under the engine lock but {@link #onCall} and {@link #awaitEnd}.
 */
public interface Progress {
    /** Makes what an engine waits in. */
    interface Maker {
        /** Called from the engine's constructor: the engine is to be used later only. */
        Progress of(Engine engine, Fabric fabric, RankSettings settings);
    }

    /** A thread that waits and has given up polling, and since when. */
    record WaitingThread(Thread thread, Completion completion, long sinceNs) {}

    /** The engine is complete: any thread that works in the background begins. */
    void start();

    /** Waits until no thread works in the background any more; soon after the rank is over. */
    void awaitEnd();

    /** The calling thread begins a call of the program. */
    void onCall(String operation);

    /**
     * Returns when {@code completion} is done. Called with the engine lock held once, which is let go and taken again
     * meanwhile.
     *
     * <p>Throws what {@link Engine#checkRunning} does if this rank ends first.
     */
    void await(Completion completion);

    /** One poll by a caller that does not wait. */
    void pollOnce();

    /**
     * A caller is about to let the lock go: wakes those whose wait it has ended, and a thread for what it leaves to do.
     */
    void onLeave();

    /** The call that is about to end does so with an error: nothing that can wait is to come before it. */
    default void onError() {}

    /** This rank is over: every thread looks. */
    void signalAll();

    /** Whether a caller waits. */
    boolean isWaitedIn();

    /** All that wait, for a report of who waits for whom. */
    List<WaitingThread> waits();
}
