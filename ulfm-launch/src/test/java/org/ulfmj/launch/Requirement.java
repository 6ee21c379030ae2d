package org.ulfmj.launch;

/** What programs of the tests require of what they see. */
final class Requirement {
    private Requirement() {}

    static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
