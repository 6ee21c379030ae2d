package mpi;

/** The communicator is revoked: of the calls that communicate, only the recovery calls still work on it. */
public final class RevokedException extends MPIException {
    private static final long serialVersionUID = 1L;

    RevokedException(String message, Comm comm, int[] failedRanks, int agreedValue, Throwable cause) {
        super(MPI.ERR_REVOKED, message, comm, failedRanks, agreedValue, cause);
    }
}
