package org.ulfmj.rabit;

/** The recovery mode cannot go on at this rank. The subclasses name the possible reasons. */
public class RabitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RabitException(String message, Throwable cause) {
        super(message, cause);
    }
}
