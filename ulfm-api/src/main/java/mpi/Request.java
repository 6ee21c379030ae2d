package mpi;

/** An operation under way. Blocking calls make none: {@link MPI#REQUEST_NULL}, which stands for no operation, is all there is. */
public final class Request {
    Request() {}
}
