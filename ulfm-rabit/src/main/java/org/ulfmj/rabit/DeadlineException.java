package org.ulfmj.rabit;

/**
 * A call waited longer than {@code ulfm.rabit.timeout}. Raised at the rank that waited, with the ranks that it waited
 * for, and, in a job with fault tolerance, at the other ranks that come to the recovery that this begins.
 */
public final class DeadlineException extends RabitException {
    private static final long serialVersionUID = 1L;

    DeadlineException(String message, Throwable cause) {
        super(message, cause);
    }
}
