package org.ulfmj.rabit;

/**
 * The job cannot go on, because too many ranks died: a part of the checkpoint, or a result of the bootstrap phase, is
 * in no rank's memory and no version on disk serves all ranks, or no process takes the place of a dead rank. Raised at
 * all ranks that live; the message says what is missing.
 */
public final class TooManyFailuresException extends RabitException {
    private static final long serialVersionUID = 1L;

    TooManyFailuresException(String message, Throwable cause) {
        super(message, cause);
    }
}
