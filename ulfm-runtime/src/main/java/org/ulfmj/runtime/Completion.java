package org.ulfmj.runtime;

/** Something a call waits for. */
public interface Completion {
    /** Whether the wait is over; read under the engine lock. */
    boolean isDone();
}
