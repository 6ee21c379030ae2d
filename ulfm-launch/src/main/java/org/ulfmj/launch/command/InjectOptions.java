package org.ulfmj.launch.command;

import org.ulfmj.command.Given;

/**
 * What becomes of a plan of faults, besides that it is carried out.
 *
 * @param planFile where the drawn plan is written; null for nowhere
 * @param logFile where each fault is logged; null for nowhere
 * @param reports whether a report is printed at the end
 * @param expected what the job must show; null for nothing
 */
public record InjectOptions(String planFile, String logFile, boolean reports, Expectations expected) {
    /** Returns what the user asked for; null for nothing. */
    static InjectOptions of(Given given, int size) {
        String expected = given.text(OptionModel.EXPECT);
        InjectOptions options = new InjectOptions(
                given.text(OptionModel.INJECT_PLAN),
                given.text(OptionModel.INJECT_LOG),
                given.has(OptionModel.INJECT_REPORT),
                expected == null ? null : Expectations.of(expected, size));
        return options.isNothing() ? null : options;
    }

    private boolean isNothing() {
        return planFile == null && logFile == null && !reports && expected == null;
    }

    /** Whether processes tell of failures and recoveries. */
    public boolean wantsMarks() {
        return reports || logFile != null || expected != null;
    }
}
