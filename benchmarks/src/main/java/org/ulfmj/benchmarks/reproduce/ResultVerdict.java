package org.ulfmj.benchmarks.reproduce;

/** What a row says about the result, or about the rule that judges it. */
public enum ResultVerdict {
    /** The result is there. */
    PASS("PASS"),
    /** It is not. */
    FAIL("FAIL"),
    /** A negative control, something known to be wrong, was rejected by the rule, as it must be. */
    CONTROL_REJECTED("FAIL (as it must: control)"),
    /** The rule accepted something known to be wrong, so it proves nothing. */
    CONTROL_ACCEPTED("PASS (must fail: control)"),
    /** Shown for comparison, not judged. */
    SHOWN("shown");

    private final String label;

    ResultVerdict(String label) {
        this.label = label;
    }

    /** As printed. */
    public String label() {
        return label;
    }

    /** Whether the reproduction as a whole may still pass. */
    public boolean isAsExpected() {
        return this != FAIL && this != CONTROL_ACCEPTED;
    }
}
