package org.ulfmj.benchmarks.reproduce;

/** The verdict of a row, on the result or on the rule that judges it. */
public enum ResultVerdict {
    /** The result was reproduced. */
    PASS("PASS"),
    /** The result was not reproduced. */
    FAIL("FAIL"),
    /** The rule rejected a negative control, which is known to be wrong, as it must. */
    CONTROL_REJECTED("FAIL (as it must: control)"),
    /** The rule accepted a negative control, which is known to be wrong, so the rule proves nothing. */
    CONTROL_ACCEPTED("PASS (must fail: control)"),
    /** Shown for comparison, not judged. */
    SHOWN("shown");

    private final String label;

    ResultVerdict(String label) {
        this.label = label;
    }

    /** The verdict as printed. */
    public String label() {
        return label;
    }

    /** Whether the reproduction as a whole may still pass. */
    public boolean isAsExpected() {
        return this != FAIL && this != CONTROL_ACCEPTED;
    }
}
