package mpi;

/** A checked exception, as in Open MPI's bindings. */
public final class MPIException extends Exception {
    private static final long serialVersionUID = 1L;
}
