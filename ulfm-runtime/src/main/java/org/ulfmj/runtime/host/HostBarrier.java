package org.ulfmj.runtime.host;

/**
 * No rank leaves before every rank has entered: all look at all. Also where ranks share cores; one that looks at the
 * flags of all whenever it has its turn beat one that waits for rank 0 to say that all have entered, for that needs one
 * more turn of two ranks.
 */
public final class HostBarrier {
    private static final long CALL = HostCall.of(HostCall.BARRIER, 0, 0, 0);

    private HostBarrier() {}

    public static void run(HostGroup group) {
        long operation = group.publishNothing(CALL);
        group.awaitAll(operation);
        group.requireSame(operation, CALL);
    }
}
