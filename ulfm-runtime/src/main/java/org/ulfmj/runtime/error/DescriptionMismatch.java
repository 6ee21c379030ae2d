package org.ulfmj.runtime.error;

/**
 * Members of a communicator are in different described operations: a fault of class {@link ErrorClass#OTHER} at any
 * rank that finds out. The others may wait for it until a rank revokes the communicator.
 */
public final class DescriptionMismatch extends CallError {
    private static final long serialVersionUID = 1L;

    private final int peer;
    private final long theirs;
    private final long mine;

    public DescriptionMismatch(int[] failedRanks, int peer, long theirs, long mine, String message) {
        super(ErrorClass.OTHER, failedRanks, 0, message);
        this.peer = peer;
        this.theirs = theirs;
        this.mine = mine;
    }

    /** The rank that is in another operation. */
    public int peer() {
        return peer;
    }

    /**
     * How it described that; 0 if it did not. As {@link #mine} if it is the same at another place in the order of
     * calls.
     */
    public long theirs() {
        return theirs;
    }

    /** How this rank described its own. */
    public long mine() {
        return mine;
    }
}
