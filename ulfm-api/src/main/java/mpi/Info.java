package mpi;

/** Hints for the implementation. {@link MPI#INFO_NULL}, which carries none, is the one there is. */
public final class Info {
    Info() {}
}
