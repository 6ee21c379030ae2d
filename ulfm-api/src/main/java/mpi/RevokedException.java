package mpi;

/** Some member revoked the communicator: only recovery calls work on it any more. */
public final class RevokedException extends MPIException {
    private static final long serialVersionUID = 1L;

    RevokedException(String message, Comm comm, int[] failedRanks, int agreedValue, Throwable cause) {
        super(MPI.ERR_REVOKED, message, comm, failedRanks, agreedValue, cause);
    }
}
