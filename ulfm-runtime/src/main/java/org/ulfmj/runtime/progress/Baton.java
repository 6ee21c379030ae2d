package org.ulfmj.runtime.progress;

/**
 * The right to run, in a simulated world, where one thread at a time has it. It replaces the seat, the spinning and the
 * background thread that a rank has in a process. Each rank has one object of this kind. The rank's only thread inside
 * MPI calls it, unless a method says otherwise.
 */
public interface Baton {
    /**
     * Notes that the rank is complete.
     *
     * @param turn by which other threads do this rank's work while its own thread does not run
     */
    void bind(RankTurn turn);

    /** Notes that the thread begins a call of the program. Other threads may run before this method returns. */
    void onCall(String operation);

    /**
     * Notes that a thread, which may do the work of this rank in the rank's stead, has run a piece of local work, of
     * which the rank does not know yet. Other threads may run before the rank is told.
     */
    void onPiece();

    /**
     * Makes the thread wait: other threads run until {@code completion} is done, the rank is over or it has a step of
     * local work to run ({@link RankTurn#isOver}).
     */
    void await(Completion completion);

    /**
     * Notes that the thread is about to leave a call, under the engine lock. Timers may have changed, and work may be
     * left.
     */
    void onLeave();
}
