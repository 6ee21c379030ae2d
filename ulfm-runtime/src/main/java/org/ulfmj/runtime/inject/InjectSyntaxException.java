package org.ulfmj.runtime.inject;

/** The exception for a rule that cannot be understood. Its message names the rule, the place in it, and the reason. */
public final class InjectSyntaxException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final String why;

    InjectSyntaxException(String origin, String rule, int at, String why) {
        super(origin + " '" + rule + "', character " + (at + 1) + ": " + why);
        this.why = why;
    }

    /** The reason why the rule cannot be understood, without the text of the rule and the place in it. */
    public String why() {
        return why;
    }
}
