package org.ulfmj.testkit.sim;

/** A simulated program would hang, or depends on something that is not in its seed. */
public final class SimFailure extends AssertionError {
    private static final long serialVersionUID = 1L;

    private final transient SimResult result;

    SimFailure(String message, SimResult result) {
        super(message);
        this.result = result;
    }

    /** What is known of the run. */
    public SimResult result() {
        return result;
    }
}
