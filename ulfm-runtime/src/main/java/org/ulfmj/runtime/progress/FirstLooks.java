package org.ulfmj.runtime.progress;

/**
 * How often a short operation in shared memory looks for the flags of the other ranks when it begins. A program that
 * waits for each operation at once gets it from the call that starts it, and need not enter the engine once more; a
 * program that computes meanwhile looks in vain now and then.
 *
 * <p>So many looks begin when some waits have seen flags come in that were not there when they began, and end when
 * looks are in vain more often than not.
 */
public final class FirstLooks {
    /** They take a quarter of a microsecond: as long as a flag needs between distant cores. */
    private static final int MOST = 64;

    private static final int LOOKS_A_PAUSE = 16;
    private static final int MOST_TRUST = 8;
    private static final int TRUST_OF_VAIN_LOOKS = 4;
    /** How many waits begin many looks again. */
    private static final int REST = 64;

    private final boolean isCrowded;
    /** Many looks are made while this is above 0. */
    private int trust;

    /** @param isCrowded whether there are more ranks than cores: then no flag comes while this rank looks */
    public FirstLooks(boolean isCrowded) {
        this.isCrowded = isCrowded;
    }

    /** Notes that a wait for an operation was over soon, but not at once. */
    public void onSoon() {
        if (!isCrowded && trust < MOST_TRUST) {
            trust++;
        }
    }

    /** Whether the flags are there for which an operation waits that has just begun. */
    public boolean areThere(SeenInMemory operation) {
        if (operation.mayGoOn()) {
            return true;
        }
        if (trust <= 0) {
            return false;
        }
        for (int i = 1; i < MOST; i++) {
            if (i % LOOKS_A_PAUSE == 0) {
                Thread.onSpinWait();
            }
            if (operation.mayGoOn()) {
                trust = Math.min(MOST_TRUST, trust + 1);
                return true;
            }
        }
        trust -= TRUST_OF_VAIN_LOOKS;
        if (trust <= 0) {
            trust = -REST;
        }
        return false;
    }
}
