package org.ulfmj.command;

/**
 * A command line has an option that its command does not know, or a word that belongs to no option. The message
 * proposes a known option if one has a similar name.
 */
public final class UnknownOptionException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String option;

    UnknownOptionException(String option, String message) {
        super(message);
        this.option = option;
    }

    /** Returns the unknown option or word as the user wrote it, without an equals sign and what follows that. */
    public String option() {
        return option;
    }
}
