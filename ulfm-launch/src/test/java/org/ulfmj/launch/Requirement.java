package org.ulfmj.launch;

/** Checks of the test programs: a condition that does not hold ends the rank with an error. */
final class Requirement {
    private Requirement() {}

    static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
