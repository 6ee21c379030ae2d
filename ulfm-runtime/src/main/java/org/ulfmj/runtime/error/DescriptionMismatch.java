package org.ulfmj.runtime.error;

/**
 * The error of class {@link ErrorClass#OTHER} at each rank that finds out, by descriptions, that another member of the
 * communicator is in another operation. The other ranks may wait until a rank revokes the communicator.
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
     * The description that {@link #peer} gave for its operation; 0 if it gave none. Equal to {@link #mine} if both
     * ranks gave the same description at different places in the order of calls.
     */
    public long theirs() {
        return theirs;
    }

    /** How this rank described its operation. */
    public long mine() {
        return mine;
    }
}
