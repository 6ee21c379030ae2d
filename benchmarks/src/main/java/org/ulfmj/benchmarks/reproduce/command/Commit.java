package org.ulfmj.benchmarks.reproduce.command;

/**
 * The commit of the sources from which the running classes were built, as the command that starts this program has
 * found it.
 */
final class Commit {
    /** System property set by {@code benchmarks/reproduce}. */
    static final String PROPERTY = "reproduce.commit";

    private Commit() {}

    static String name() {
        return System.getProperty(PROPERTY, "unknown");
    }
}
