package mpi;

/**
 * The calling process itself takes part in nothing any more: it was fenced, has left the others, or was never admitted
 * to the world. Each of its calls fails so.
 */
public final class ProcAbortedException extends MPIException {
    private static final long serialVersionUID = 1L;

    ProcAbortedException(String message, Comm comm, int[] failedRanks, int agreedValue, Throwable cause) {
        super(MPI.ERR_PROC_ABORTED, message, comm, failedRanks, agreedValue, cause);
    }
}
