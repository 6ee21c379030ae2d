package mpi;

/**
 * A program's function that handles errors. {@link Comm#createErrhandler} makes an {@link Errhandler} of it.
 *
 * <p>The function is called by the thread whose call has failed, when that call is over and before it throws. The
 * exception comes all the same, because a Java call has no other way to say that it has no result. An exception that
 * the function throws is thrown in its place.
 */
@FunctionalInterface
public interface ErrhandlerFunction {
    /**
     * May call MPI, and recover on {@code comm} ({@code revoke}, {@code ackFailed}, {@code shrink}); an error in these
     * calls comes here again if that communicator has the same handler.
     *
     * @param comm the communicator of the failed call; COMM_SELF for a call that concerns no communicator
     * @param errorClass such as {@link MPI#ERR_PROC_FAILED}
     */
    void call(Comm comm, int errorClass);
}
