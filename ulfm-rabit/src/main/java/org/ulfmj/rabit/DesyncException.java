package org.ulfmj.rabit;

/**
 * Ranks make different operations at the same place of their sequence of operations, or checkpoints with different
 * global models: a bug of the program. With fault tolerance it is raised at all ranks, without only at the ranks that
 * find it. The library cannot recover from this, because no rank knows which of them is right.
 */
public final class DesyncException extends RabitException {
    private static final long serialVersionUID = 1L;

    DesyncException(String message, Throwable cause) {
        super(message, cause);
    }
}
