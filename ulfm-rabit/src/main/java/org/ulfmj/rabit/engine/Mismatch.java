package org.ulfmj.rabit.engine;

/** Ranks do not make the same operations: a bug of the program, which no rank can recover from. */
public final class Mismatch extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Mismatch(String message) {
        super(message);
    }
}
