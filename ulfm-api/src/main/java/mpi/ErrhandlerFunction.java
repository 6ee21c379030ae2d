package mpi;

/**
 * What a program itself does about an error, made an {@link Errhandler} by {@link Comm#createErrhandler}.
 *
 * <p>It is called by the thread whose call has failed, when that call is over and before it throws: the exception comes
 * all the same, because a Java call has no other way to say that it has no result. What the function throws is thrown
 * in its place.
 */
@FunctionalInterface
public interface ErrhandlerFunction {
    /**
     * May call MPI, and recover on {@code comm} ({@code revoke}, {@code ackFailed}, {@code shrink}); an error in these
     * calls comes here again if that communicator has the same handler.
     *
     * @param comm whose call has failed; COMM_SELF for a call that concerns none
     * @param errorClass such as {@link MPI#ERR_PROC_FAILED}
     */
    void call(Comm comm, int errorClass);
}
