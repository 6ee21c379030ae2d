package org.ulfmj.rabit;

/**
 * A call waited longer than {@code ulfm.rabit.timeout}. Raised at the rank that waited, with the ranks that it waited
 * for. If the rank begins a recovery to tell the others of it, also raised at the ranks that come to that recovery.
 */
public final class DeadlineException extends RabitException {
    private static final long serialVersionUID = 1L;

    DeadlineException(String message, Throwable cause) {
        super(message, cause);
    }
}
