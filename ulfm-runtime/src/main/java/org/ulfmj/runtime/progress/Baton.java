package org.ulfmj.runtime.progress;

/**
 * The right to run, in a simulated world, where one thread has it at a time. It replaces the seat, the spinning and the
 * background thread that a rank has in a process. Each rank has one object of this kind. The rank's only thread inside
 * MPI calls it, without the engine lock unless a method says otherwise.
 */
public interface Baton {
    /**
     * Notes that the rank is complete. By {@code turn} other threads work for the rank while its thread does not run.
     */
    void bind(RankTurn turn);

    /** Notes that the thread begins a call of the program. Other threads may have their turn before it goes on. */
    void onCall(String operation);

    /**
     * Notes that a thread, which may work for this rank in its turn, has run a piece of local work, of which the rank
     * does not know yet. Other threads may have their turn before it does.
     */
    void onPiece();

    /** Makes the thread wait: other threads have their turns until {@code completion} is done or the rank is over. */
    void await(Completion completion);

    /**
     * Notes that the thread is about to leave a call, under the engine lock. Timers may have changed, and work may be
     * left.
     */
    void onLeave();
}
