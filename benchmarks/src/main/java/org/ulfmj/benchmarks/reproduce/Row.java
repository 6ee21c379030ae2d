package org.ulfmj.benchmarks.reproduce;

/**
 * A line of the table.
 *
 * @param what the measured thing
 * @param published the result in the paper, or of the standard of comparison; "must fail" for a control; may be empty
 * @param acceptedIf the rule by which the row is judged; empty if it is not judged
 * @param measured the figures
 */
public record Row(String what, String published, String acceptedIf, String measured, ResultVerdict verdict) {
    /** A row that passes if {@code met}. */
    public static Row result(String what, String published, String acceptedIf, String measured, boolean met) {
        return new Row(what, published, acceptedIf, measured, met ? ResultVerdict.PASS : ResultVerdict.FAIL);
    }

    /** A row of a control that is known to be wrong. It is judged by the same rule, and must not meet it. */
    public static Row control(String what, String acceptedIf, String measured, boolean met) {
        ResultVerdict verdict = met ? ResultVerdict.CONTROL_ACCEPTED : ResultVerdict.CONTROL_REJECTED;
        return new Row(what, "must fail", acceptedIf, measured, verdict);
    }

    /** A row of figures without a judgement. */
    public static Row shown(String what, String published, String measured) {
        return new Row(what, published, "", measured, ResultVerdict.SHOWN);
    }
}
