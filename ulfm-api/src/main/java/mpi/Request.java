package mpi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.transfer.Operation;
import org.ulfmj.runtime.transfer.OperationSet;

/**
 * An operation that was started and ends later (MPI 3.1 section 3.7). Its buffer belongs to the operation until a
 * method of this class says that the operation is over: do not change what is being sent, do not look at what is being
 * received.
 *
 * <p><b>Completion.</b> A call that finds the operation over completes the request: {@link #isNull} is true from then
 * on (unless it is a {@link Prequest}), and further calls do nothing and give an empty status. It also raises the
 * operation's error, if there is one, as the {@link Errhandler} of its communicator says; starting an operation never
 * raises a failure. A request that failed is complete, and its buffer is never touched again. The one exception is
 * {@link ProcFailedPendingException}: a receive from {@link MPI#ANY_SOURCE} that a failure holds up stays active. After
 * {@link Comm#ackFailed()} it may be waited for again, and a message that comes meanwhile completes it.
 *
 * <p><b>Several requests.</b> If one of them fails, one exception is raised that has a {@link Status} for each,
 * {@link MPIException#getStatuses}: its own error class, {@link MPI#SUCCESS} for one that is complete,
 * {@link MPI#ERR_PENDING} for one that is still under way, {@link MPI#ERR_PROC_FAILED_PENDING} for one that is held up.
 * The forms that return a {@code Status} raise {@code ERR_IN_STATUS}; the other forms raise the fault-tolerance class
 * of the requests' errors if these are the only errors (revoked before failed before pending), so that a program can
 * catch {@link RevokedException}. A call that completes one of several requests raises the exception of that request,
 * whose status has the index.
 *
 * <p><b>Threads.</b> Different threads may complete different requests at the same time. Two that complete the same
 * request at the same time are a mistake: one of them raises {@code ERR_REQUEST}.
 */
public class Request implements Freeable {
    private final Comm comm;
    private final CommState state;
    /**
     * The operation; null once the request is complete, and in a {@link Prequest} that is not started. It is not
     * volatile, as there may be very many requests: it is used under the lock of the rank's engine, or with acquire and
     * release accesses of a {@code VarHandle}.
     */
    private Operation operation;

    /** In a separate class, so that a program without requests does not make the {@code VarHandle}. */
    private static final class Access {
        static final VarHandle OPERATION = find();

        private static VarHandle find() {
            try {
                return MethodHandles.lookup().findVarHandle(Request.class, "operation", Operation.class);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("Request has no operation", e);
            }
        }
    }

    /** The null request. */
    Request() {
        this(null, null, null);
    }

    Request(Comm comm, CommState state, Operation operation) {
        this.comm = comm;
        this.state = state;
        this.operation = operation;
    }

    /** Returns the communicator object that the operation was started on; null for {@link MPI#REQUEST_NULL}. */
    final Comm comm() {
        return comm;
    }

    final CommState state() {
        return state;
    }

    /** Returns the rank that the request belongs to; null for {@link MPI#REQUEST_NULL}, which belongs to all. */
    final Rank rank() {
        return state == null ? null : state.rank();
    }

    /** Returns the operation; null if the request is complete. To be called under the lock of the rank's engine. */
    final Operation operation() {
        return operation;
    }

    /** Completes this request, whose operation has ended. Returns the status if it is wanted, else null. */
    final Status end(OperationSet set, int index, boolean wantsStatus) {
        Operation over = operation;
        forget();
        Status status = wantsStatus ? Status.of(over, index) : null;
        set.release(over);
        return status;
    }

    /**
     * Returns the operation if it is a {@linkplain Operation#isShared shared} one, which had ended without an error
     * before the request was made; else null. Needs no lock.
     */
    final Operation overAtOnce() {
        Operation known = (Operation) Access.OPERATION.getAcquire(this);
        return known != null && known.isShared() ? known : null;
    }

    final void forget() {
        Access.OPERATION.setRelease(this, null);
    }

    /** Whether the request has no operation: none was started yet, or the last one is completed. */
    final boolean isInactive() {
        return Access.OPERATION.getAcquire(this) == null;
    }

    /** Gives a started operation to this request, which had none. */
    final void begin(Operation started) {
        Access.OPERATION.setRelease(this, started);
    }

    /** Whether the request can be started again when its operation has ended. */
    boolean outlivesOperation() {
        return false;
    }

    /**
     * Called when a call has completed the request, whose operation had failed: on the caller's thread, without the
     * lock of the engine, before an exception is made of the fault. Does nothing unless overridden.
     */
    void onFailed(CallError fault) {}

    /** Called when the program frees the request. Does nothing unless overridden. */
    void onFreed() {}

    /** Whether the request has no operation, and never will have one again. Local. */
    public final boolean isNull() {
        return isInactive() && !outlivesOperation();
    }

    /**
     * Waits until the operation is over, and completes the request.
     *
     * <p>{@code MPI_Wait}, MPI 3.1 section 3.7.3.
     */
    public final void waitFor() {
        Completions.single("waitFor", this, true, false);
    }

    /**
     * Waits until the operation is over and completes the request. Returns its status, which names the sender and the
     * length.
     *
     * <p>{@code MPI_Wait}, MPI 3.1 section 3.7.3.
     */
    public final Status waitStatus() {
        return Completions.single("waitStatus", this, true, true);
    }

    /**
     * Whether the operation is over; then completes the request. Does not wait.
     *
     * <p>{@code MPI_Test}, MPI 3.1 section 3.7.3.
     */
    public final boolean test() {
        return Completions.single("test", this, false, false) != null;
    }

    /**
     * As {@link #test} with the status; null if the operation is not over.
     *
     * <p>{@code MPI_Test}, MPI 3.1 section 3.7.3.
     */
    public final Status testStatus() {
        return Completions.single("testStatus", this, false, true);
    }

    /**
     * Returns the status of the operation if it is over, else null. The request is not completed and no error is
     * raised: {@link Status#getError} has it, and the call that completes the request will raise it. Does not wait.
     *
     * <p>{@code MPI_Request_get_status}, MPI 3.1 section 3.7.6.
     *
     * @throws ProcFailedPendingException if a failure holds the receive up
     */
    public final Status getStatus() {
        return Completions.look(this);
    }

    /**
     * Asks for the end of the operation without its effect; local. It still has to be completed:
     * {@link Status#isCancelled} then tells whether this was in time. It is for a receive that no message has matched,
     * and for a send of which nothing has left this process; for any other it changes nothing.
     *
     * <p>{@code MPI_Cancel}, MPI 3.1 section 3.8.4.
     *
     * @throws MPIException of class {@code ERR_REQUEST} for a non-blocking collective (MPI 3.1 section 5.12), and for a
     *     request that is null or inactive
     */
    public final void cancel() {
        Completions.cancel(this);
    }

    /**
     * Gives the request up; it is null afterwards. Local, and legal after any failure. The operation goes on, and the
     * program is not told when or how it ends.
     *
     * <p>{@code MPI_Request_free}, MPI 3.1 section 3.7.3.
     *
     * @throws MPIException of class {@code ERR_REQUEST} for a non-blocking collective (MPI 3.1 section 5.12) that has
     *     not failed
     */
    @Override
    public final void free() {
        Completions.free(this);
    }

    /**
     * As {@link #waitAny} with the status, whose {@link Status#getIndex} is the index.
     *
     * <p>{@code MPI_Waitany}, MPI 3.1 section 3.7.5.
     */
    public static Status waitAnyStatus(Request[] requests) {
        return Completions.any("waitAnyStatus", requests, true, true);
    }

    /**
     * Waits until one of the operations is over, and completes its request.
     *
     * <p>{@code MPI_Waitany}, MPI 3.1 section 3.7.5.
     *
     * @return the index, the lowest of several; {@link MPI#UNDEFINED} if all requests are null or inactive
     */
    public static int waitAny(Request[] requests) {
        return Completions.any("waitAny", requests, true);
    }

    /**
     * As {@link #testAny} with the status; null if none is over.
     *
     * <p>{@code MPI_Testany}, MPI 3.1 section 3.7.5.
     */
    public static Status testAnyStatus(Request[] requests) {
        return Completions.any("testAnyStatus", requests, false, true);
    }

    /**
     * As {@link #waitAny} without waiting: {@link MPI#UNDEFINED} also if none is over.
     *
     * <p>{@code MPI_Testany}, MPI 3.1 section 3.7.5.
     */
    public static int testAny(Request[] requests) {
        return Completions.any("testAny", requests, false);
    }

    /**
     * As {@link #waitAll} with a status for each request, an empty one for a null or inactive request.
     *
     * <p>{@code MPI_Waitall}, MPI 3.1 section 3.7.5.
     */
    public static Status[] waitAllStatus(Request[] requests) {
        return Completions.all("waitAllStatus", requests, true, true);
    }

    /**
     * Waits until all operations are over, and completes the requests; or until an operation fails; the failure is
     * raised at once.
     *
     * <p>{@code MPI_Waitall}, MPI 3.1 section 3.7.5.
     */
    public static void waitAll(Request[] requests) {
        Completions.all("waitAll", requests, true, false);
    }

    /**
     * As {@link #testAll} with a status for each request; null if not all are over.
     *
     * <p>{@code MPI_Testall}, MPI 3.1 section 3.7.5.
     */
    public static Status[] testAllStatus(Request[] requests) {
        return Completions.all("testAllStatus", requests, false, true);
    }

    /**
     * Whether all operations are over. If so, completes all requests; otherwise completes none of them, unless one
     * failed.
     *
     * <p>{@code MPI_Testall}, MPI 3.1 section 3.7.5.
     */
    public static boolean testAll(Request[] requests) {
        return Completions.all("testAll", requests, false, false) != null;
    }

    /**
     * As {@link #waitSome}, but returns the statuses of the completed requests, which have the indices.
     *
     * <p>{@code MPI_Waitsome}, MPI 3.1 section 3.7.5.
     */
    public static Status[] waitSomeStatus(Request[] requests) {
        return Completions.someStatuses("waitSomeStatus", requests, true);
    }

    /**
     * Waits until at least one of the operations is over, and completes the requests of all operations that are over.
     *
     * <p>{@code MPI_Waitsome}, MPI 3.1 section 3.7.5.
     *
     * @return the indices, ascending; null if all requests are null or inactive
     */
    public static int[] waitSome(Request[] requests) {
        return Completions.some("waitSome", requests, true);
    }

    /**
     * As {@link #testSome}, but returns the statuses of the completed requests, which have the indices.
     *
     * <p>{@code MPI_Testsome}, MPI 3.1 section 3.7.5.
     */
    public static Status[] testSomeStatus(Request[] requests) {
        return Completions.someStatuses("testSomeStatus", requests, false);
    }

    /**
     * As {@link #waitSome} without waiting. The array has length 0 if no operation is over.
     *
     * <p>{@code MPI_Testsome}, MPI 3.1 section 3.7.5.
     */
    public static int[] testSome(Request[] requests) {
        return Completions.some("testSome", requests, false);
    }
}
