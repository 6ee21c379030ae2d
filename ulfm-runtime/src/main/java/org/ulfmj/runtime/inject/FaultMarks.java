package org.ulfmj.runtime.inject;

/**
 * The numbers by which a rank tells the launcher, for the report of a plan, other things than the rules whose points it
 * has reached. They are above the numbers of all rules.
 */
public final class FaultMarks {
    private static final int FAILED = 1 << 28;
    private static final int RECOVERED = 1 << 29;
    private static final int SLOT_MASK = FAILED - 1;

    private FaultMarks() {}

    /** Returns the number that says: this rank has marked the first process of the slot failed. */
    public static int failed(int slot) {
        return FAILED | slot;
    }

    /**
     * Returns the number that says: this rank has decided an agreement after it had marked the first process of the
     * slot failed.
     */
    public static int recovered(int slot) {
        return RECOVERED | slot;
    }

    /** Whether the number is that of a rule, and none that {@link #failed} or {@link #recovered} returned. */
    public static boolean isRule(int number) {
        return number < FAILED;
    }

    public static boolean isFailed(int number) {
        return (number & FAILED) != 0;
    }

    /** The slot that a mark is about. */
    public static int slot(int number) {
        return number & SLOT_MASK;
    }
}
