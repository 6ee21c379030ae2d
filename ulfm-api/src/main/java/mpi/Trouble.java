package mpi;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.transfer.OperationSet;

/** The errors of some of the requests of one call, from which one exception is made. */
final class Trouble {
    /**
     * The importance of an exception that code of the program has thrown. It is the highest, because the communicator
     * is revoked on account of that exception.
     */
    private static final int OF_PROGRAM = 5;

    private final Status[] statuses;
    private final List<Request> ended = new ArrayList<>();
    private int failed;
    private boolean onlyFaultTolerance = true;
    private Request leadingRequest;
    private CallError leading;
    private int leadingImportance;
    private int leadingIndex;

    /** @param count number of statuses that the exception will have */
    Trouble(int count) {
        statuses = new Status[count];
    }

    void status(int position, Status status) {
        statuses[position] = status;
    }

    /**
     * Adds the error of the request at {@code index}, which failed or is held up by a failure. The message of the
     * exception describes only the most important of all errors, as there may be very many.
     */
    void add(Request request, int index, ErrorClass error, OperationSet set) {
        failed++;
        if (error != ErrorClass.PROC_FAILED_PENDING) {
            ended.add(request);
        }
        onlyFaultTolerance &= rank(error) > 0;
        int importance = request.operation().isEndedByProgram() ? OF_PROGRAM : rank(error);
        if (leading == null || importance > leadingImportance) {
            leadingImportance = importance;
            leading = set.fault(request.operation());
            leadingRequest = request;
            leadingIndex = index;
        }
    }

    /**
     * How important an error class is for a recovery. REVOKED is the most important, because a revoked communicator
     * must be left in any case.
     */
    private static int rank(ErrorClass error) {
        return switch (error) {
            case REVOKED -> 4;
            case PROC_FAILED -> 3;
            case PROC_FAILED_PENDING -> 2;
            case PROC_ABORTED -> 1;
            default -> 0;
        };
    }

    /**
     * Returns the exception for the caller to throw; does not return where the error handler ends the job. If the most
     * important error is an exception of the program's code, this method throws that exception itself.
     *
     * @param inStatus whether the call returns statuses: the exception then has the class ERR_IN_STATUS, as the program
     *     finds the errors in the statuses. If false, the exception has that class only if some error is none of fault
     *     tolerance, and else the class of the most important error
     */
    MPIException raise(String call, int requests, boolean inStatus) {
        for (Request request : ended) {
            request.onFailed(leading);
        }
        int errorClass = inStatus || !onlyFaultTolerance
                ? MPI.ERR_IN_STATUS
                : leading.error().code();
        String message = call + ": " + failed + " of " + requests + " requests "
                + (failed == 1 ? "has" : "have") + " an error; requests[" + leadingIndex + "], "
                + leading.getMessage();
        return Exceptions.ofRequests(leadingRequest, errorClass, message, leading, statuses);
    }
}
