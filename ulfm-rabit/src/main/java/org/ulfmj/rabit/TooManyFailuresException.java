package org.ulfmj.rabit;

/**
 * So many died that no rank has what is needed to go on: no copy of the checkpoint in memory or on disk, or no rank to
 * start a replacement. Raised at all ranks; the message says what is missing.
 */
public final class TooManyFailuresException extends RabitException {
    private static final long serialVersionUID = 1L;

    TooManyFailuresException(String message, Throwable cause) {
        super(message, cause);
    }
}
