package org.ulfmj.rabit.engine;

/** Ranks make different operations or models: a bug of the program, which no rank can recover from. */
public final class Mismatch extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Mismatch(String message) {
        super(message);
    }
}
