package org.ulfmj.runtime.host;

/**
 * Nobody leaves before everybody has entered. Where each rank has a core all look at all; where ranks share cores rank 0 looks
 * at all, and the others at rank 0: one chain of wake-ups. Its second flag, which says that all have entered, is the central
 * counter of the textbook, but with one writer.
 */
public final class HostBarrier {
    private static final long CALL = HostCall.of(HostCall.BARRIER, 0, 0, 0);
    private static final long IN_VAIN = 0;

    private HostBarrier() {}

    public static void run(HostGroup group) {
        if (group.isCrowded() && group.size() > 2) {
            central(group);
            return;
        }
        long operation = group.publishNothing(CALL);
        group.awaitAll(operation);
        group.requireSame(operation, CALL);
    }

    private static void central(HostGroup group) {
        long entered = group.publishNothing(CALL);
        if (group.rank() == 0) {
            group.awaitAll(entered);
            boolean isSame = false;
            try {
                group.requireSame(entered, CALL);
                isSame = true;
            } finally {
                // Also if the program is wrong: who waits for it must not wait for ever.
                group.publishNothing(isSame ? CALL : IN_VAIN);
            }
        } else {
            group.awaitOne(entered + 1, 0);
            group.requireSame(entered, 0, CALL);
            group.requireSame(entered + 1, 0, CALL);
            group.allHaveBegun(entered);
            group.publishNothing(CALL);
        }
    }
}
