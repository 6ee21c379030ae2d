package mpi;

/** The operation needs a process that was aborted. */
public final class ProcAbortedException extends MPIException {
    private static final long serialVersionUID = 1L;

    ProcAbortedException(String message, Comm comm, int[] failedRanks, int agreedValue, Throwable cause) {
        super(MPI.ERR_PROC_ABORTED, message, comm, failedRanks, agreedValue, cause);
    }
}
