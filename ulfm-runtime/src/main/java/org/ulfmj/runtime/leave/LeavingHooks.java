package org.ulfmj.runtime.leave;

/**
 * What the leaving of a rank asks of the process, or of the test, that the rank lives in. Called under the engine lock
 * unless a method says otherwise, so implementations are short and never call MPI.
 */
public interface LeavingHooks {
    /**
     * The program handles signals: those that may come to its process itself are to be passed to it from now on. Called
     * by any thread, and without the engine lock.
     */
    default void watchForSignals() {}

    /**
     * The program wants to be told when its process is to end by a signal: {@link Preemption#begin} is called from now
     * on, also before this method returns. Called by any thread, and without the engine lock.
     *
     * @return false if such a signal never comes, or cannot be noticed
     */
    default boolean watchForPreemption(Preemption preemption) {
        return false;
    }

    /**
     * This rank leaves the others: the launcher is told. Returns when the launcher has heard that, or when its time is
     * over.
     */
    default void onLeave(String why, long mostNs) {}

    /** This rank has left: the process ends with this code. Called without the engine lock. */
    default void onLeft(int code) {}

    /**
     * Whether the launcher has heard the goodbye. Finalize waits for that, at most for the link budget and
     * {@link #goodbyePatienceNs}.
     */
    default boolean isGoodbyeHeard() {
        return true;
    }

    /** How much longer than the link budget Finalize waits for a process to hear the goodbye. */
    default long goodbyePatienceNs() {
        return 0;
    }
}
