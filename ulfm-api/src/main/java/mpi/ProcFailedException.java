package mpi;

/**
 * The call could not do its work because a process that it needs has failed: its peer, any member for a collective, or,
 * for a receive from {@link MPI#ANY_SOURCE}, a member whose failure is not acknowledged. The communicator can still be
 * used with the live members. Other members may not have noticed the failure.
 */
public final class ProcFailedException extends MPIException {
    private static final long serialVersionUID = 1L;

    ProcFailedException(String message, Comm comm, int[] failedRanks, int agreedValue, Throwable cause) {
        super(MPI.ERR_PROC_FAILED, message, comm, failedRanks, agreedValue, cause);
    }
}
