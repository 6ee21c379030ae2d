package org.ulfmj.runtime.error;

/**
 * The error of a non-blocking collective call that ended because something was thrown in it, mostly by code of the
 * program such as an operator: package {@code mpi} raises what was thrown, as it is.
 */
public final class ThrownByProgram extends CallError {
    private static final long serialVersionUID = 1L;

    private final Throwable thrown;

    /** @param what the operation in words */
    public ThrownByProgram(String what, Throwable thrown) {
        super(ErrorClass.OTHER, what + " failed because of an exception of the program: " + thrown);
        this.thrown = thrown;
    }

    /** What code of the program has thrown. */
    public Throwable thrown() {
        return thrown;
    }
}
