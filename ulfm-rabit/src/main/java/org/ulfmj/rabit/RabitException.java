package org.ulfmj.rabit;

/** A call of the recovery mode cannot go on at this rank. The subclasses stand for some of the reasons. */
public class RabitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RabitException(String message, Throwable cause) {
        super(message, cause);
    }
}
