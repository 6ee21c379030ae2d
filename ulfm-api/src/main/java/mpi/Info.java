package mpi;

/** Hints for the implementation. {@link MPI#INFO_NULL}, which carries no hint, is the only object. */
public final class Info {
    Info() {}
}
