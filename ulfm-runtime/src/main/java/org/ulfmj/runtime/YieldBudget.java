package org.ulfmj.runtime;

/**
 * For how long a wait yields before it sleeps: 200 µs, or 10 ms where ranks share cores and one short wait follows the other.
 *
 * <p>Where ranks exceed cores, whoever waits has to let several others have their turn first, and a processor that a virtual
 * machine's compilers use besides gives turns of milliseconds. A rank that goes to sleep meanwhile needs a bell and a turn of its
 * own to come back, and is then late for the others, who go to sleep too: eight ranks on two cores took four times as long for a
 * barrier with sleeps in it. But who waits because another computes takes the core from it when it yields, again and again: such
 * waits are of a millisecond and more, and a few of them are enough to sleep early again.
 *
 * <p>Under the engine lock.
 */
final class YieldBudget {
    private static final long SHORT_NS = 200_000;
    private static final long LONG_NS = 10_000_000;
    /** A wait for others that do nothing but communicate is shorter. */
    private static final long CALM_NS = 1_000_000;

    /** So many calm waits make the budget long. */
    private static final int ENOUGH = 1_000;

    private static final int MOST = 2 * ENOUGH;
    /** A wait that was not calm takes back so many that were. */
    private static final int COST = 10;

    private final boolean mayLengthen;
    private int calm;

    /** @param crowded more ranks than cores */
    YieldBudget(boolean crowded) {
        this.mayLengthen = crowded;
    }

    /** From the end of the spin to the first sleep. */
    long budgetNs() {
        return calm >= ENOUGH ? LONG_NS : SHORT_NS;
    }

    /** A wait that went beyond its spin is over, after so long, sleeps included. */
    void onWaited(long waitedNs) {
        if (!mayLengthen) {
            return;
        }
        if (waitedNs < CALM_NS) {
            calm = Math.min(MOST, calm + 1);
        } else {
            calm = waitedNs > LONG_NS ? 0 : Math.max(0, calm - COST);
        }
    }
}
