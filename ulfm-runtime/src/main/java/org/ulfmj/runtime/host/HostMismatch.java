package org.ulfmj.runtime.host;

/** Ranks of one group are in different calls, or in one with different arguments: the program's error. */
public final class HostMismatch extends RuntimeException {
    private static final long serialVersionUID = 1L;

    HostMismatch(int rank, long its, long mine) {
        super("rank " + rank + " is in " + HostCall.describe(its) + ", this rank in " + HostCall.describe(mine));
    }
}
