package org.ulfmj.runtime.progress;

/**
 * An operation that goes on when other ranks have written into memory that this rank reads. One look at the operation
 * costs only a little more than reading that memory. So a thread that waits for this operation alone looks at it first,
 * before it looks at anything else. Under the engine lock.
 */
public interface SeenInMemory {
    /**
     * Whether other ranks have written what the operation waits for. Only looks: the operation does not go on by this
     * call.
     */
    boolean mayGoOn();

    /**
     * Lets the operation go on, which may end it.
     *
     * @param isAwaited whether the thread that waits had to look more than once
     */
    void onSeen(boolean isAwaited);

    /** Whether a thread is running a piece of this operation's local work now. */
    default boolean isAtWork() {
        return false;
    }
}
