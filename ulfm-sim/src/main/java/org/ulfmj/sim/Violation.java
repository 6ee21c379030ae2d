package org.ulfmj.sim;

/**
 * The exception for a simulated schedule that broke an invariant, hung, threw, or went another way when run again. The
 * text says what was seen.
 */
public final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final String HANGS = " of virtual time: ";

    public Violation(String text) {
        super(text);
    }

    public Violation(String text, Throwable cause) {
        super(text, cause);
    }

    /**
     * Returns which promise was broken, without the details of this schedule: the text up to its first colon, without
     * digits; for a schedule that hung, what stays open, in the same way, after {@code "hangs: "}. Schedules that fail
     * alike have equal kinds.
     */
    public String kind() {
        String text = getMessage();
        int hangs = text.indexOf(HANGS);
        String what = hangs < 0 ? text : text.substring(hangs + HANGS.length());
        int colon = what.indexOf(": ");
        String kind = (colon < 0 ? what : what.substring(0, colon)).replaceAll("[0-9]+", "");
        return hangs < 0 ? kind : "hangs: " + kind;
    }
}
