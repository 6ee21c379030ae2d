package org.ulfmj.sim;

/** A simulated schedule broke an invariant. The text says which one, and what was seen. */
public final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Violation(String text) {
        super(text);
    }

    public Violation(String text, Throwable cause) {
        super(text, cause);
    }
}
