package org.ulfmj.rabit;

/**
 * Not a failure of the program, but news for it: a result that a rank had used is lost, or the job goes on with other
 * ranks, and all go back to a checkpoint. {@link Rabit#run} handles it by calling the program again; another program
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
