package org.ulfmj.runtime.leave;

import org.ulfmj.runtime.progress.Engine;
import org.ulfmj.runtime.progress.Progress;

/** A rank, as seen by the classes that let it leave the others. */
public interface LeavingRank extends Engine {
    Progress progress();

    /** Returns the hooks by which the rank calls the process, or the test, that it lives in. */
    LeavingHooks hooks();

    /**
     * Whether everything that this rank sent has arrived. Sends messages that were put off. Under the engine lock, like
     * the other methods unless they say otherwise.
     */
    boolean isHandedOver();

    /** Ends this rank, which has left the others: its calls throw from now on. */
    void stayAway(String why);

    /** Whether Finalize is done. Any thread. */
    boolean isFinished();

    /** Waits a moment so that the lines that the rank has for stderr are written. Without the engine lock. */
    void awaitLines();
}
