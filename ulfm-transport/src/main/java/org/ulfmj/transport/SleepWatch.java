package org.ulfmj.transport;

/**
 * Tells a thread that is about to sleep for a rank whether the rank's wait is over already. Called without the engine
 * lock. The sleeping thread executes a full fence between {@link #beginSleep} and {@link #mayGoOn}. Other ranks execute
 * one, or a volatile store, between storing a value and looking which rank sleeps. So either the sleeper sees the
 * value, or the other rank sees the sleeper.
 */
public interface SleepWatch {
    /** Tells the ranks whose stores may end the wait that this rank sleeps. */
    void beginSleep();

    /** Whether the rank need not sleep, because the value that it waits for has been stored already. */
    boolean mayGoOn();

    void endSleep();
}
