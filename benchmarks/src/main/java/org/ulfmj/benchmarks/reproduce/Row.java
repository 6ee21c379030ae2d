package org.ulfmj.benchmarks.reproduce;

/**
 * A line of the table.
 *
 * @param what the measured thing
 * @param published what the paper or the standard of comparison says
 * @param acceptedIf the rule, fixed before the measurement
 * @param measured the figures
 */
public record Row(String what, String published, String acceptedIf, String measured, ResultVerdict verdict) {
    /** A result that is there if {@code met}. */
    public static Row result(String what, String published, String acceptedIf, String measured, boolean met) {
        return new Row(what, published, acceptedIf, measured, met ? ResultVerdict.PASS : ResultVerdict.FAIL);
    }

    /** Something known to be wrong, under the same rule: it must not meet it. */
    public static Row control(String what, String acceptedIf, String measured, boolean met) {
        ResultVerdict verdict = met ? ResultVerdict.CONTROL_ACCEPTED : ResultVerdict.CONTROL_REJECTED;
        return new Row(what, "must fail", acceptedIf, measured, verdict);
    }

    /** Figures without a judgement. */
    public static Row shown(String what, String published, String measured) {
        return new Row(what, published, "", measured, ResultVerdict.SHOWN);
    }
}
