package org.ulfmj.rabit;

/**
 * Ranks make different operations at the same place of their sequence of operations: a bug of the program. Raised at
 * all ranks, without fault tolerance only at the rank that finds it; the message says which operation each rank was
 * making. The library cannot recover from this, because no rank knows which of them is right.
 */
public final class DesyncException extends RabitException {
    private static final long serialVersionUID = 1L;

    DesyncException(String message, Throwable cause) {
        super(message, cause);
    }
}
