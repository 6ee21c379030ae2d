package org.ulfmj.rabit;

/**
 * A call waited longer than {@code ulfm.rabit.timeout}. Raised at the rank that waited, with the ranks that it waited
 * for, and at all other ranks as soon as they call this library.
 */
public final class DeadlineException extends RabitException {
    private static final long serialVersionUID = 1L;

    DeadlineException(String message, Throwable cause) {
        super(message, cause);
    }
}
