package org.ulfmj.runtime.inject;

/**
 * What a rank tells the launcher besides the rules whose points it reached, for the report of a plan: numbers above
 * those of all rules.
 */
public final class FaultMarks {
    private static final int FAILED = 1 << 28;
    private static final int RECOVERED = 1 << 29;
    private static final int SLOT_MASK = FAILED - 1;

    private FaultMarks() {}

    /** The rank has marked the first process of a slot failed. */
    public static int failed(int slot) {
        return FAILED | slot;
    }

    /** The rank has decided an agreement after it had marked the first process of a slot failed. */
    public static int recovered(int slot) {
        return RECOVERED | slot;
    }

    /** Whether the number is that of a rule. */
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
