package org.ulfmj.rabit;

/**
 * Ranks make different operations at the same place of their sequence: a bug of the program. Raised at all ranks; the
 * message names which rank was where. Nothing can be recovered from here, because no rank knows which of them is right.
 */
public final class DesyncException extends RabitException {
    private static final long serialVersionUID = 1L;

    DesyncException(String message, Throwable cause) {
        super(message, cause);
    }
}
