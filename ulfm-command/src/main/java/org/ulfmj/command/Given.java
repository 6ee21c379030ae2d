package org.ulfmj.command;

import java.util.List;

/** The contents of a command line. Options are looked up by the first of their names. */
public interface Given {
    boolean has(String option);

    /** Returns the value of an option; null if it was not given. */
    String text(String option);

    /** All values of an option that may be repeated, in their order; empty if the option was not given. */
    List<String> texts(String option);

    /** Returns the words after the options: the command to be started, and its arguments; empty if there are none. */
    List<String> command();
}
