package org.ulfmj.runtime.host;

import org.ulfmj.runtime.progress.Sleepers;

/** What a host collective asks of the rank that it runs in. Every method is called by the thread inside the call. */
public interface HostWaiting {
    /**
     * Waits until {@link HostGroup#isThere}. Called with the engine lock, which is let go and taken again meanwhile.
     *
     * @param isHurried whether the call can do nothing until then; else it waits until it may use memory again, and
     *     leaves as much of a core as it can to a rank that shares the core
     * @throws RuntimeException if a failure or a revocation comes first; the operation is over then
     */
    void await(boolean isHurried);

    /** Has the ranks rung that sleep, before this thread sleeps and at the end of its call at the latest. */
    default void ringSoon(Sleepers sleepers) {
        sleepers.ring();
    }

    /** Lets the engine lock go, for work that takes longer than the lock may be held. */
    void letGo();

    /**
     * Takes the lock again.
     *
     * @throws RuntimeException if the operation cannot have its normal result any more
     */
    void takeBack();

    /** Returns the exception to throw when ranks are in different calls, which is the program's error. */
    RuntimeException mismatch(String what);

    /** Returns the exception to throw when a rank gave another description than this rank, or none (0). */
    RuntimeException contradicted(int rank, long itsDescription);
}
