package org.ulfmj.runtime.progress;

/** Something a call waits for. */
public interface Completion {
    /** Whether the wait is over; read under the engine lock. */
    boolean isDone();

    /**
     * Whether {@link #isDone} looks at memory that others write into. Then a poll of everything else, which takes ten
     * times as long, is not needed each time. Always the same answer.
     */
    default boolean isSeenWithoutPolling() {
        return false;
    }
}
