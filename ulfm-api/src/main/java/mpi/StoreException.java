package mpi;

import org.ulfmj.runtime.store.StoreFault;

/**
 * A call to {@link Store} that failed. The error handler is not asked: this exception is always thrown.
 *
 * <p>Its class is {@link MPI#ERR_ARG} if the call was refused, which then had no effect; else {@link MPI#ERR_OTHER}.
 */
public class StoreException extends MPIException {
    private static final long serialVersionUID = 1L;

    private final StoreFault.Kind kind;

    StoreException(int errorClass, String message, StoreFault.Kind kind) {
        super(errorClass, message);
        this.kind = kind;
    }

    /**
     * Whether the time of the call was over. What the call asked for, other than to wait, may still happen: as after
     * {@link #isOutcomeUnknown}, the caller has to look.
     */
    public boolean isTimeout() {
        return kind == StoreFault.Kind.TIMEOUT;
    }

    /**
     * Whether the session with the store has ended, for instance because the launcher is lost. Whether a change that
     * the call asked for was made is unknown.
     */
    public boolean isOutcomeUnknown() {
        return kind == StoreFault.Kind.UNKNOWN;
    }
}
