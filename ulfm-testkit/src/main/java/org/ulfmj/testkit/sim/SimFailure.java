package org.ulfmj.testkit.sim;

/** The failure of a simulated program that would hang, takes too long, or depends on more than its seed. */
public final class SimFailure extends AssertionError {
    private static final long serialVersionUID = 1L;

    private final transient SimResult result;

    SimFailure(String message, SimResult result) {
        super(message);
        this.result = result;
    }

    /** The result of the run as far as it went. */
    public SimResult result() {
        return result;
    }
}
