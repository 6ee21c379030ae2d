package org.ulfmj.runtime.hint;

/** Whose failure the operations of a communicator meet: the values of the hint {@code mpi_error_range}. */
public enum ErrorRange {
    /** Of the processes that an operation needs. */
    LOCAL,
    /** Of any member: its failure revokes the communicator. */
    GROUP,
    /** Of any process that this rank knows: its failure revokes the communicator. */
    UNIVERSE
}
