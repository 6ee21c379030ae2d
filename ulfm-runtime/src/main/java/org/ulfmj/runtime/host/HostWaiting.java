package org.ulfmj.runtime.host;

import org.ulfmj.runtime.progress.Sleepers;

/**
 * The calls by which a blocking collective in shared memory reaches the rank that it runs in. Every method is called by
 * the thread inside the call.
 */
public interface HostWaiting {
    /**
     * Waits until {@link HostGroup#isThere} is true. Called with the engine lock, which may be released and taken again
     * meanwhile.
     *
     * @param isHurried true if the call can do nothing until then. False if it waits until it may use memory again:
     *     then it leaves as much of a core as it can to a rank that shares the core
     * @throws RuntimeException if the operation cannot have its normal result any more, as after a failure or a
     *     revocation; the operation is over then
     */
    void await(boolean isHurried);

    /** Has the ranks that sleep woken, at the latest before this thread sleeps or at the end of its call. */
    default void ringSoon(Sleepers sleepers) {
        sleepers.ring();
    }

    /** Releases the engine lock, for work that takes longer than the lock may be held. */
    void letGo();

    /**
     * Takes the engine lock again.
     *
     * @throws RuntimeException if the operation cannot have its normal result any more
     */
    void takeBack();

    /** Returns the exception to throw when ranks are in different calls, which is an error of the program. */
    RuntimeException mismatch(String what);

    /**
     * Returns the exception to throw when a rank gave another description than this rank, or none.
     *
     * @param itsDescription the other rank's description; 0 for none
     */
    RuntimeException contradicted(int rank, long itsDescription);
}
