package org.ulfmj.transport;

/**
 * Asked by any process that is about to sleep for a rank, without its engine lock. Between {@link #beginSleep} and
 * {@link #mayGoOn} there is a full fence, as there is in other ranks between storing and looking who sleeps: so one of
 * the two sees the other.
 */
public interface SleepWatch {
    /** Makes it known that this rank sleeps, to those whose stores may end its wait. */
    void beginSleep();

    /** Whether what it waits for is there already. */
    boolean mayGoOn();

    void endSleep();
}
