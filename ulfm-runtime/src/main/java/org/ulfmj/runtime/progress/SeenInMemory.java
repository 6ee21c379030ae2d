package org.ulfmj.runtime.progress;

/**
 * An operation that goes on when other ranks have written into memory that this rank reads. One look at it costs a
 * little more than the read itself, so a thread that waits for this operation alone looks so first. Under the engine
 * lock.
 */
public interface SeenInMemory {
    /** Whether what the operation waits for is there. Lets nothing go on. */
    boolean mayGoOn();

    /**
     * Lets the operation go on, which may end it.
     *
     * @param isAwaited whether the thread that waits had to look more than once
     */
    void onSeen(boolean isAwaited);

    /** Whether a thread runs a piece of the operation's local work. */
    default boolean isAtWork() {
        return false;
    }
}
