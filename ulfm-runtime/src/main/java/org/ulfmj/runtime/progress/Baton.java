package org.ulfmj.runtime.progress;

/**
 * The thread that runs next, in a world where one thread at a time does: the seat, the spinning and the background
 * thread of a rank in a process are all replaced by it. One per rank; the rank's only thread inside MPI calls it,
 * without the engine lock but where it says so.
 */
public interface Baton {
    /** The rank is complete: this is what may be done for it while its thread does not run. */
    void bind(RankTurn turn);

    /** The thread begins a call of the program, and others may have their turn before it goes on. */
    void onCall(String operation);

    /** The thread waits: others have their turns until {@code completion} is done or the rank is over. */
    void await(Completion completion);

    /**
     * The thread is about to leave a call, under the engine lock: timers may have changed and something be left to do.
     */
    void onLeave();
}
