package org.ulfmj.testkit.mutant;

/**
 * A mutant of one method or constructor: statements are run instead of the body of the method, or before the rest of
 * the constructor.
 *
 * @param number counts the mutants of a run, from 0
 * @param item the method or constructor that is changed
 * @param statement the statement that is run
 */
record ApiMutant(int number, ApiItem item, String statement) {
    /** Returns the text by which a list of mutants names this one. */
    String text() {
        return item.line() + " { " + statement + " }";
    }
}
