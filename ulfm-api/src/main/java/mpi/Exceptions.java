package mpi;

import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.error.ThrownByProgram;
import org.ulfmj.runtime.inter.TwoGroups;

/**
 * Turns faults into the exception that a call throws, or ends the job, as the error handler of the communicator
 * decides.
 */
final class Exceptions {
    private Exceptions() {}

    /**
     * The exception for a fault of a call on a communicator. Asks the communicator's error handler. Such a call has
     * ended when it throws, so a fault of class PROC_FAILED_PENDING becomes one of class PROC_FAILED.
     */
    static MPIException of(Comm comm, CommState state, CallError fault) {
        ErrorClass error = fault.error() == ErrorClass.PROC_FAILED_PENDING ? ErrorClass.PROC_FAILED : fault.error();
        MPIException exception = make(error.code(), null, comm, state, fault);
        handle(state.rank(), state.errhandler(), comm, exception);
        return exception;
    }

    /**
     * The exception for the fault of a request that a call completes, or finds to be held up by a failure. If the fault
     * is that code of the program threw an exception, this method throws that exception itself.
     */
    static MPIException ofRequest(Request request, CallError fault, Status status) {
        return ofRequests(request, fault.error().code(), fault.getMessage(), fault, new Status[] {status});
    }

    /**
     * The exception of a call that completes requests. The error handler of the communicator of {@code leading} is
     * asked. If {@code fault} is that code of the program threw an exception, this method throws that exception itself.
     */
    static MPIException ofRequests(
            Request leading, int errorClass, String message, CallError fault, Status[] statuses) {
        if (fault instanceof ThrownByProgram program) {
            throw Exceptions.<RuntimeException>asItIs(program.thrown());
        }
        CommState state = leading.state();
        MPIException exception = make(errorClass, message, leading.comm(), state, fault);
        exception.statuses(statuses);
        handle(state.rank(), state.errhandler(), leading.comm(), exception);
        return exception;
    }

    /** Throws an exception that the program's code has thrown, unchecked or checked, without wrapping it. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> T asItIs(Throwable thrown) throws T {
        throw (T) thrown;
    }

    /** The exception for a fault of a call for which no error handler is asked; it has no communicator. */
    static MPIException thrown(CallError fault) {
        return make(fault.error().code(), fault.getMessage(), null, fault.failedRanks(), 0, fault);
    }

    /**
     * The exception of a call that concerns no communicator. If the thread has a rank, the error handler of the rank's
     * COMM_SELF is called.
     */
    static MPIException withoutCommunicator(String operation, int errorClass, String problem) {
        MPIException exception = make(errorClass, operation + ": " + problem, null, new int[0], 0, null);
        Rank rank = Ranks.currentOrNull();
        if (rank != null) {
            handle(rank, rank.self().errhandler(), MPI.COMM_SELF, exception);
        }
        return exception;
    }

    /**
     * The exception for a fault of a call on a communicator. The fault has the failed members by their ranks among all
     * members; for an inter-communicator they are turned into ranks of its two groups.
     *
     * @param message null for the message of the fault
     */
    private static MPIException make(int errorClass, String message, Comm comm, CommState state, CallError fault) {
        TwoGroups groups = state.communicator().groups();
        if (groups == null) {
            return make(errorClass, message, comm, fault.failedRanks(), fault.agreedValue(), fault);
        }
        int[] remote = groups.ranksOf(fault.failedRanks(), true);
        MPIException exception = make(errorClass, message, comm, remote, fault.agreedValue(), fault);
        exception.failedLocalRanks(groups.ranksOf(fault.failedRanks(), false));
        return exception;
    }

    /** @param message null for the message of the cause */
    private static MPIException make(
            int errorClass, String message, Comm comm, int[] failedRanks, int agreedValue, Throwable cause) {
        return switch (errorClass) {
            case MPI.ERR_PROC_FAILED -> new ProcFailedException(message, comm, failedRanks, agreedValue, cause);
            case MPI.ERR_PROC_FAILED_PENDING ->
                new ProcFailedPendingException(message, comm, failedRanks, agreedValue, cause);
            case MPI.ERR_REVOKED -> new RevokedException(message, comm, failedRanks, agreedValue, cause);
            case MPI.ERR_PROC_ABORTED -> new ProcAbortedException(message, comm, failedRanks, agreedValue, cause);
            default -> new MPIException(errorClass, message, comm, failedRanks, agreedValue, cause);
        };
    }

    /**
     * Does what an error handler does for an error of a call on {@code comm}: nothing, a call of the program's
     * function, or the end of the job. The caller must hold no lock and must have finished its own work, because the
     * program's function may call MPI, and throw.
     */
    static void handle(Rank rank, Errhandler handler, Comm comm, MPIException exception) {
        if (handler == MPI.ERRORS_RETURN) {
            return;
        }
        ErrhandlerFunction function = handler.function();
        if (function != null) {
            function.call(comm, exception.getErrorClass());
            return;
        }
        String message = exception.getMessage();
        System.err.println("MPI error at process " + rank.runtime().id() + ": " + message
                + (message.endsWith(".") ? " " : ". ") + handler
                + " ends the job (setErrhandler(MPI.ERRORS_RETURN) makes it an exception)");
        try {
            rank.runtime().abort(exception.getErrorCode());
        } catch (CallError over) {
            exception.addSuppressed(over);
        }
    }
}
