package org.ulfmj.runtime.host;

/** Ranks of one group are in different calls, or in one with different arguments: the program's error. */
public final class HostMismatch extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int rank;
    private final long itsDescription;
    private final boolean isOfDescriptions;

    HostMismatch(int rank, long its, long mine) {
        super("rank " + rank + " is in " + HostCall.describe(its) + ", this rank in " + HostCall.describe(mine));
        this.rank = rank;
        this.itsDescription = 0;
        this.isOfDescriptions = false;
    }

    /** @param itsDescription 0 if it gave none */
    HostMismatch(int rank, long itsDescription) {
        super("rank " + rank + " was in an operation of another description");
        this.rank = rank;
        this.itsDescription = itsDescription;
        this.isOfDescriptions = true;
    }

    /** Whether what the program said of the operations differs. */
    public boolean isOfDescriptions() {
        return isOfDescriptions;
    }

    /** Who is in another one. */
    public int rank() {
        return rank;
    }

    public long itsDescription() {
        return itsDescription;
    }
}
