package org.ulfmj.rabit;

/** Carries a RuntimeException that the program's own reducer or operator threw while it combined elements. */
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
