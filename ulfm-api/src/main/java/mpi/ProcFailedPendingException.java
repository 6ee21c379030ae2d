package mpi;

/**
 * A request that receives from {@link MPI#ANY_SOURCE} is held up by a failure that is not acknowledged. The request
 * stays active and may be waited for again after {@link Comm#ackFailed()}; therefore this is no subclass of
 * {@link ProcFailedException}. Blocking receives and probes never raise it.
 */
public final class ProcFailedPendingException extends MPIException {
    private static final long serialVersionUID = 1L;

    ProcFailedPendingException(String message, Comm comm, int[] failedRanks, int agreedValue, Throwable cause) {
        super(MPI.ERR_PROC_FAILED_PENDING, message, comm, failedRanks, agreedValue, cause);
    }
}
