package mpi;

import org.ulfmj.runtime.Communicator;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.message.SendMode;
import org.ulfmj.runtime.transfer.Operation;
import org.ulfmj.transport.Payload;

/**
 * A message that is sent or received again and again (MPI 3.1 section 3.9): described once, by {@link Comm#sendInit}
 * and its like, then started as often as the program likes, each time from or into the same buffer.
 *
 * <p>It is inactive at first and after each completion: calls that wait for it or test it then find nothing to do and
 * give an empty status. {@link #isNull} is true only after {@link #free}. A request that failed is inactive, too, and
 * may be started again.
 *
 * <p>One thread at a time may start, complete or free a request; different requests may be used by different threads.
 */
public final class Prequest extends Request {
    private final Payload span;
    private final int peer;
    private final int tag;
    /** The mode of a send; null for a receive. */
    private final SendMode mode;

    private volatile boolean freed;
    /** Whether a call of {@link #startAll}, which has started none yet, has found this request in its array. */
    private boolean isListed;

    Prequest(Comm comm, CommState state, Payload span, int peer, int tag, SendMode mode) {
        super(comm, state, null);
        this.span = span;
        this.peer = peer;
        this.tag = tag;
        this.mode = mode;
    }

    /**
     * Starts the operation and returns at once; the buffer is the operation's until a call on this request says that it
     * is over. A failure or a revocation is not raised here, but by the call that completes the request.
     *
     * <p>{@code MPI_Start}, MPI 3.1 section 3.9.
     *
     * @throws MPIException of class {@code ERR_REQUEST} if the request is under way, or was freed; {@code ERR_BUFFER}
     *     for a buffered send that the attached buffer has no room for, or if no buffer is attached or a thread is
     *     detaching it
     */
    public void start() {
        Completions.enter("start", this);
        requireStartable("start", "the request");
        startNow("start");
    }

    /**
     * Starts all the requests, in order.
     *
     * <p>{@code MPI_Startall}, MPI 3.1 section 3.9.
     *
     * @throws MPIException of class {@code ERR_REQUEST}, with none started, if the array or one of the requests is
     *     null, or a request was freed, is under way, or is given twice; {@code ERR_BUFFER} as {@link #start}, with the
     *     requests before that one started
     */
    public static void startAll(Prequest[] requests) {
        Completions.enter("startAll", requests);
        requireStartable(requests);
        for (Prequest request : requests) {
            request.startNow("startAll");
        }
    }

    /** Marks each request that it has checked, and removes the marks in the end, so that it makes no object. */
    private static void requireStartable(Prequest[] requests) {
        int listed = 0;
        try {
            for (; listed < requests.length; listed++) {
                Prequest request = requests[listed];
                if (!request.isStartable()) {
                    request.requireStartable("startAll", "requests[" + listed + "]");
                }
                if (request.isListed) {
                    throw Exceptions.withoutCommunicator(
                            "startAll",
                            MPI.ERR_REQUEST,
                            "requests[" + listed + "] is given twice; allowed: each request once");
                }
                request.isListed = true;
            }
        } finally {
            while (listed > 0) {
                requests[--listed].isListed = false;
            }
        }
    }

    private boolean isStartable() {
        return isInactive() && !freed;
    }

    private void requireStartable(String call, String name) {
        if (!isStartable()) {
            throw Exceptions.withoutCommunicator(
                    call,
                    MPI.ERR_REQUEST,
                    name + (freed ? " was freed" : " is under way") + "; allowed: an inactive persistent request");
        }
    }

    private void startNow(String call) {
        try {
            begin(started(state().communicator(), call));
        } catch (CallError fault) {
            throw comm().raise(state(), fault);
        }
    }

    private Operation started(Communicator communicator, String call) {
        if (peer == MPI.PROC_NULL) {
            return communicator.noMessage(call);
        }
        return mode == null ? communicator.receive(span, peer, tag) : communicator.send(span, peer, tag, mode);
    }

    @Override
    boolean outlivesOperation() {
        return !freed;
    }

    @Override
    void onFreed() {
        freed = true;
    }
}
