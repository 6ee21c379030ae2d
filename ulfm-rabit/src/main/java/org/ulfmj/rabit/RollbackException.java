package org.ulfmj.rabit;

/**
 * Not a failure of the program, but news for it: a result that it had used is lost, and all ranks go back to the last
 * checkpoint. {@link Rabit#run} handles it by calling the program again; a program that does not use {@code run}
 * catches this exception where it can begin again, either at its top (operations of the bootstrap phase are answered
 * from what was recorded) or at {@code loadCheckpoint}. A job that goes on with other ranks makes the bootstrap phase
 * again, so its programs begin at their top.
 */
public final class RollbackException extends RabitException {
    private static final long serialVersionUID = 1L;

    private final int version;

    RollbackException(int version, String message) {
        super(message, null);
        this.version = version;
    }

    /** The version that {@code loadCheckpoint} will return. */
    public int version() {
        return version;
    }
}
