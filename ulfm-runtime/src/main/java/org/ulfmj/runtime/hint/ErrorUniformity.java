package org.ulfmj.runtime.hint;

/**
 * Which collective operations of a communicator end with the same result or error at all members: the values of the
 * hint {@code mpi_error_uniform}.
 */
public enum ErrorUniformity {
    /** None. */
    LOCAL,
    /** All collective operations, those that make communicators too. */
    COLL,
    /** Those that make communicators. */
    CREATE
}
