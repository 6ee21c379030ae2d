package org.ulfmj.benchmarks.reproduce.command;

/** Which sources the running classes were built from, as the command that starts us has found out. */
final class Commit {
    /** System property set by {@code benchmarks/reproduce}. */
    static final String PROPERTY = "reproduce.commit";

    private Commit() {}

    static String name() {
        return System.getProperty(PROPERTY, "unknown");
    }
}
