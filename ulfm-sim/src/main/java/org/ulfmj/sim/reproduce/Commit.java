package org.ulfmj.sim.reproduce;

/** Which sources the running classes were built from, as the command that starts us has found out. */
final class Commit {
    /** System property set by {@code bin/ulfm-sim}. */
    static final String PROPERTY = "ulfm.sim.commit";

    private Commit() {}

    static String name() {
        return System.getProperty(PROPERTY, "unknown");
    }
}
