package org.ulfmj.testkit;

/**
 * The end of a rank that is a thread, where its main has not ended: for example by a fault or an abort. It is thrown by
 * the rank's current MPI call and by each later one. It is an error and no exception, so that recovery code, which
 * handles exceptions, does not handle it.
 */
public final class RankKilledError extends Error {
    private static final long serialVersionUID = 1L;

    /** Made by the worlds of this library. */
    public RankKilledError(String message) {
        super(message);
    }
}
