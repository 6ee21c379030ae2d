package org.ulfmj.runtime.leave;

import org.ulfmj.runtime.progress.Engine;
import org.ulfmj.runtime.progress.Progress;

/** A rank, as the classes that let it leave the others know it. */
public interface LeavingRank extends Engine {
    Progress progress();

    /** What is asked of the process, or of the test, that the rank lives in. */
    LeavingHooks hooks();

    /**
     * Whether everything that this rank sent has arrived. Sends what was put off. Under the engine lock, like the other
     * methods unless they say otherwise.
     */
    boolean isHandedOver();

    /** Ends this rank, which has left the others. */
    void stayAway(String why);

    /** Whether Finalize is done. Any thread. */
    boolean isFinished();

    /** Gives the lines that the rank has for stderr a moment to be written. Without the engine lock. */
    void awaitLines();
}
