package org.ulfmj.testkit.mutant;

/**
 * One change of one item: its body is not run, and it ends with a statement instead.
 *
 * @param number counts the mutants of a run, from 0
 * @param item what is changed
 * @param statement what is run instead of the body
 */
record ApiMutant(int number, ApiItem item, String statement) {
    /** How a list of mutants names this one. */
    String text() {
        return item.line() + " { " + statement + " }";
    }
}
