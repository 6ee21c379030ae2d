package org.ulfmj.command;

/**
 * A command line has an option that its command does not know. The message proposes the most similar known option, if
 * there is one.
 */
public final class UnknownOptionException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String option;

    UnknownOptionException(String option, String message) {
        super(message);
        this.option = option;
    }

    /** Returns the option as the user wrote it, without a value. */
    public String option() {
        return option;
    }
}
