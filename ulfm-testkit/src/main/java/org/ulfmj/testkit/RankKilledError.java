package org.ulfmj.testkit;

/**
 * The death of a rank that is a thread. It is thrown by the rank's current MPI call and by each later one. It is an
 * error and no exception, so that recovery code, which handles exceptions, does not handle the death of its rank.
 */
public final class RankKilledError extends Error {
    private static final long serialVersionUID = 1L;

    /** Made by the worlds of this library. */
    public RankKilledError(String message) {
        super(message);
    }
}
