package org.ulfmj.runtime.inject;

/** A rule that cannot be understood. The message names the rule, the place in it, and what is allowed there. */
public final class InjectSyntaxException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final String why;

    InjectSyntaxException(String origin, String rule, int at, String why) {
        super(origin + " '" + rule + "', character " + (at + 1) + ": " + why);
        this.why = why;
    }

    /** What is wrong, without the rule and the place. */
    public String why() {
        return why;
    }
}
