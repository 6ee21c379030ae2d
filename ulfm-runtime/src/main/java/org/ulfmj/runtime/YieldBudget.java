package org.ulfmj.runtime;

/**
 * For how long a wait yields before it sleeps: 200 µs, or up to 10 ms where ranks share cores and waits are found to be that
 * short.
 *
 * <p>Where ranks exceed cores, whoever waits has to let several others have their turn first, and a processor that a virtual
 * machine's compilers use besides gives turns of milliseconds. A rank that goes to sleep meanwhile needs a bell and a turn of its
 * own to come back, and is then late for the others, who go to sleep too: eight ranks on two cores took ten times as long for a
 * barrier with sleeps in it. A rank that waits for longer anyhow, since others compute, yields in vain and soon stops to.
 *
 * <p>Under the engine lock.
 */
final class YieldBudget {
    private static final long SHORT_NS = 200_000;
    private static final long LONG_NS = 10_000_000;

    private final boolean mayLengthen;
    private long budgetNs = SHORT_NS;

    /** @param crowded more ranks than cores */
    YieldBudget(boolean crowded) {
        this.mayLengthen = crowded;
    }

    /** From the end of the spin to the first sleep. */
    long budgetNs() {
        return budgetNs;
    }

    /** A wait that went beyond its spin is over, after so long, sleeps included. */
    void onWaited(long waitedNs) {
        if (!mayLengthen) {
            return;
        }
        if (waitedNs > LONG_NS) {
            budgetNs = Math.max(SHORT_NS, budgetNs / 4);
        } else if (waitedNs > budgetNs / 2) {
            budgetNs = Math.min(LONG_NS, 2 * budgetNs);
        }
    }
}
