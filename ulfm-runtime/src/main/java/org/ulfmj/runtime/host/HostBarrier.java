package org.ulfmj.runtime.host;

/**
 * The barrier in shared memory: no rank leaves before every rank has entered. Each rank looks at the flags of all
 * others.
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
