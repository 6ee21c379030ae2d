package mpi;

import org.ulfmj.runtime.error.CallError;

/**
 * A call that failed. Unchecked, unlike in Open MPI's bindings, so that it passes through lambdas; sources that declare
 * or catch it compile unchanged.
 *
 * <p>Errors of fault tolerance have subclasses: {@link ProcFailedException}, {@link RevokedException},
 * {@link ProcFailedPendingException}, {@link ProcAbortedException}. Other errors are told apart by
 * {@link #getErrorClass}.
 */
public class MPIException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int errorClass;
    private final transient Comm comm;
    private final int[] failedRanks;
    private final int agreedValue;
    /**
     * The fault whose message is this exception's message, if the exception was made without one. It is not set as the
     * cause, because a stack trace would then say the same sentence twice.
     */
    private final CallError fault;

    private int[] failedLocalRanks = new int[0];

    /** Null in an exception that was deserialized. */
    private transient Status[] statuses;

    /** An exception of class {@link MPI#ERR_OTHER}. */
    public MPIException(String message) {
        this(MPI.ERR_OTHER, message);
    }

    /** An exception of class {@link MPI#ERR_OTHER}. */
    public MPIException(Throwable cause) {
        this(MPI.ERR_OTHER, cause.toString(), null, new int[0], 0, cause);
    }

    /** An exception whose cause {@link #initCause} may still set. */
    MPIException(int errorClass, String message) {
        super(message);
        this.errorClass = errorClass;
        this.comm = null;
        this.failedRanks = new int[0];
        this.agreedValue = 0;
        this.fault = null;
        this.statuses = new Status[0];
    }

    /** @param message null for the message of {@code cause}, which is then put into words only when it is asked for */
    MPIException(int errorClass, String message, Comm comm, int[] failedRanks, int agreedValue, Throwable cause) {
        super(message, cause instanceof CallError ? cause.getCause() : cause);
        this.errorClass = errorClass;
        this.comm = comm;
        this.failedRanks = failedRanks.clone();
        this.agreedValue = agreedValue;
        this.fault = cause instanceof CallError words ? words : null;
        this.statuses = new Status[0];
    }

    @Override
    public String getMessage() {
        String own = super.getMessage();
        return own == null && fault != null ? fault.getMessage() : own;
    }

    /** Returns the error code: here always the same as {@link #getErrorClass}. */
    public int getErrorCode() {
        return errorClass;
    }

    /** Returns the error class, one of {@code MPI.ERR_…}. */
    public int getErrorClass() {
        return errorClass;
    }

    /** Sets the statuses of the requests that the call completed or looked at. */
    final void statuses(Status[] ofRequests) {
        statuses = ofRequests;
    }

    /**
     * Returns the communicator that the error concerns; null if it concerns none, for instance if the rank takes no
     * part in the job any more.
     */
    public Comm getComm() {
        return comm;
    }

    /**
     * Returns the ranks of {@link #getComm} that the calling process knew to have failed, in the order in which that
     * became known; a new array. May be empty for a {@link RevokedException}, and is empty for a bad argument. Of an
     * {@link Intercomm} these are ranks of the remote group.
     */
    public int[] getFailedRanks() {
        return failedRanks.clone();
    }

    /**
     * As {@link #getFailedRanks}, for the local group of an {@link Intercomm}: ranks of the caller's own group. Empty
     * for other communicators, whose failed ranks are all in {@link #getFailedRanks}.
     */
    public int[] getFailedLocalRanks() {
        return failedLocalRanks.clone();
    }

    /** Sets the failed ranks of the caller's own group. */
    final void failedLocalRanks(int[] ranks) {
        failedLocalRanks = ranks;
    }

    /**
     * If requests failed that a call completes or looks at: how each of them ended, or that it has not
     * ({@link MPI#ERR_PENDING}, {@link MPI#ERR_PROC_FAILED_PENDING}). {@link Status#getIndex} is the request's place in
     * the call's array. Empty for all other errors, and once the exception was deserialized. A new array.
     */
    public Status[] getStatuses() {
        return statuses == null ? new Status[0] : statuses.clone();
    }

    /**
     * Returns the value that {@link Comm#agree(int)} agreed on although it raises a failure. It is the same at every
     * rank. 0 for other calls.
     */
    public int getAgreedValue() {
        return agreedValue;
    }
}
