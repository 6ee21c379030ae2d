package org.ulfmj.runtime.progress;

/** Something a call waits for. */
public interface Completion {
    /** Whether the wait is over; read under the engine lock. */
    boolean isDone();

    /**
     * Whether {@link #isDone} looks at memory into which other ranks write. Then a poll of everything else, which takes
     * ten times as long, is not needed before each look. The answer never changes.
     */
    default boolean isSeenWithoutPolling() {
        return false;
    }

    /** Whether another thread of this rank runs a piece of what is awaited. Until that is done, to look is in vain. */
    default boolean isInOtherHands() {
        return false;
    }
}
