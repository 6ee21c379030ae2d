package org.ulfmj.runtime.hint;

/** The processes whose failure ends operations of a communicator: the values of the hint {@code mpi_error_range}. */
public enum ErrorRange {
    /** The processes that an operation needs. */
    LOCAL,
    /** All members: a failure revokes the communicator. */
    GROUP,
    /** All processes that this rank knows: the failure of any of them revokes the communicator. */
    UNIVERSE
}
