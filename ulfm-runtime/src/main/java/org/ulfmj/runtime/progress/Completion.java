package org.ulfmj.runtime.progress;

/** Something a call waits for. */
public interface Completion {
    /** Whether the wait has ended; read under the engine lock. */
    boolean isDone();

    /**
     * Whether {@link #isDone} looks at memory into which other ranks write. If so, a look does not need a poll of
     * everything else before it. The answer may change while a thread waits.
     */
    default boolean isSeenWithoutPolling() {
        return false;
    }

    /**
     * Whether the wait has ended after some further looks, for less than a microsecond. Called before the thread
     * yields, where ranks exceed cores; under the engine lock.
     */
    default boolean isDoneSoon() {
        return false;
    }

    /**
     * Whether another thread of this rank runs a piece of the awaited work. Until that thread is done, a look cannot
     * succeed.
     */
    default boolean isInOtherHands() {
        return false;
    }
}
