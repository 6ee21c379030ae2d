package org.ulfmj.testkit;

/**
 * The death of a rank that is a thread: thrown by the MPI call that it is in and by each later one. An error and not an
 * exception, so that recovery code, which handles exceptions, does not handle its own rank's death.
 */
public final class RankKilledError extends Error {
    private static final long serialVersionUID = 1L;

    /** For the worlds of this library. */
    public RankKilledError(String message) {
        super(message);
    }
}
