package org.ulfmj.rabit;

/**
 * Not a failure of the program, but news for it: a result or model that a rank needs is in no rank's memory any more,
 * or the job goes on with other ranks. So all go back to a checkpoint, or begin again if there is none.
 * {@link Rabit#run} handles it by calling the program again; another program catches this exception where it can begin
 * again, either at its top (operations of the bootstrap phase are answered from what was recorded) or at
 * {@code loadCheckpoint}. After a change of ranks, or the loss of a result of the bootstrap phase, that phase is made
 * again: programs then have to begin at their top.
 */
public final class RollbackException extends RabitException {
    private static final long serialVersionUID = 1L;

    private final int version;

    RollbackException(int version, String message) {
        super(message, null);
        this.version = version;
    }

    /** The version that {@code loadCheckpoint} will return, unless all ranks have to go back once more before. */
    public int version() {
        return version;
    }
}
