package org.ulfmj.rabit;

/** The program's own code threw while it combined elements. */
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
