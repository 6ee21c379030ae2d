package org.ulfmj.rabit;

/** Carries an exception that the program's own reducer threw while it combined elements. */
final class ReducerFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final RuntimeException thrown;

    ReducerFailure(RuntimeException thrown) {
        super(thrown);
        this.thrown = thrown;
    }

    RuntimeException thrown() {
        return thrown;
    }
}
