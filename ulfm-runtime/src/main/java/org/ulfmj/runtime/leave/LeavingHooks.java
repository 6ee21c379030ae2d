package org.ulfmj.runtime.leave;

/**
 * The calls by which the leaving of a rank reaches the process, or the test, that the rank lives in. Called under the
 * engine lock unless a method says otherwise, so implementations never call MPI, and none but {@link #onLeave} waits.
 */
public interface LeavingHooks {
    /**
     * Called when the program handles signals: signals that come to its process itself are to be passed to it from now
     * on. Called by any thread, and without the engine lock.
     */
    default void watchForSignals() {}

    /**
     * Called when the program wants to be told that its process is to end by a signal. {@link Preemption#begin} is
     * called for such a signal from now on, even before this method returns. Called by any thread, and without the
     * engine lock.
     *
     * @return false if such a signal never comes, or cannot be noticed
     */
    default boolean watchForPreemption(Preemption preemption) {
        return false;
    }

    /**
     * Tells the launcher that this rank leaves the others. Returns when the launcher has confirmed that or is lost, or
     * after {@code mostNs}.
     */
    default void onLeave(String why, long mostNs) {}

    /** Ends the process with this code, after its rank has left the others. Called without the engine lock. */
    default void onLeft(int code) {}

    /**
     * Whether the launcher, or another coordinator, has confirmed the goodbye. Finalize waits for that, at most for the
     * link budget and {@link #goodbyePatienceNs}.
     */
    default boolean isGoodbyeHeard() {
        return true;
    }

    /** How much longer than the link budget Finalize waits until a coordinator has confirmed the goodbye. */
    default long goodbyePatienceNs() {
        return 0;
    }
}
