package mpi;

import org.ulfmj.runtime.CollectiveCall;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.transfer.Operation;
import org.ulfmj.runtime.transfer.OperationSet;

/**
 * Waits for requests and tests them: finds out which of them have ended, how each ended, and makes the exception for
 * those that failed. Also cancels and frees requests. A call with several requests looks at them, after it has waited,
 * while it holds the engine's lock once, so that all its results are of one moment. Exceptions for the program are made
 * after the lock is released, because an error handler may end the job.
 */
final class Completions {
    /** The statuses that a call gives for its requests if it was not asked for statuses. */
    private static final Status[] NO_STATUSES = {};

    private Completions() {}

    static Rank enter(String call, Request request) {
        Rank rank = Ranks.current(call);
        rank.enter(call);
        if (request.rank() != null && request.rank() != rank) {
            throw new MPIException(call + ": this request was made by process "
                    + request.rank().runtime().id() + " but the calling thread works for process "
                    + rank.runtime().id());
        }
        return rank;
    }

    static Rank enter(String call, Request[] requests) {
        if (requests == null) {
            throw Exceptions.withoutCommunicator(
                    call, MPI.ERR_REQUEST, "requests is null; allowed: an array of requests");
        }
        Rank rank = enter(call, MPI.REQUEST_NULL);
        for (int i = 0; i < requests.length; i++) {
            Request request = requests[i];
            if (request == null) {
                throw Exceptions.withoutCommunicator(
                        call, MPI.ERR_REQUEST, "requests[" + i + "] is null; allowed: requests and MPI.REQUEST_NULL");
            }
            if (request.rank() != null && request.rank() != rank) {
                throw new MPIException(call + ": requests[" + i + "] was made by process "
                        + request.rank().runtime().id() + " but the calling thread works for process "
                        + rank.runtime().id());
            }
        }
        return rank;
    }

    /**
     * The exception for a call that cannot be made, for example because the rank takes no part in the job any more or
     * another call is using a request.
     */
    private static MPIException misuse(Request[] requests, CallError fault) {
        for (Request request : requests) {
            if (request.comm() != null) {
                return Exceptions.of(request.comm(), request.state(), fault);
            }
        }
        return Exceptions.thrown(fault);
    }

    /**
     * Waits for one request or tests it. Returns its status; null if a test finds that the operation has not ended. If
     * no status is wanted, any returned status other than null has no meaning.
     */
    static Status single(String call, Request request, boolean waits, boolean wantsStatus) {
        Rank rank = enter(call, request);
        if (request.isInactive()) {
            return wantsStatus ? Status.empty(0) : Status.UNWANTED;
        }
        Operation over = request.overAtOnce();
        if (over != null) {
            request.forget();
            return wantsStatus ? Status.of(over, 0) : Status.UNWANTED;
        }
        Status status = null;
        CallError fault;
        try (OperationSet set = rank.runtime().operations(call)) {
            Operation operation = request.operation();
            if (operation == null) {
                return wantsStatus ? Status.empty(0) : Status.UNWANTED;
            }
            set.add(operation);
            settle(set, waits, true);
            fault = set.fault(operation);
            if (operation.isDone()) {
                status = request.end(set, 0, wantsStatus || fault != null);
            } else if (fault == null) {
                return null;
            } else {
                status = Status.pending(MPI.ERR_PROC_FAILED_PENDING, 0);
            }
        } catch (CallError misuse) {
            throw Exceptions.of(request.comm(), request.state(), misuse);
        }
        if (fault != null) {
            tellFailed(request, fault);
            throw Exceptions.ofRequest(request, fault, status);
        }
        return wantsStatus ? status : Status.UNWANTED;
    }

    /**
     * Tells a request that has ended that it failed. A request that is only held up by a failure of another rank is not
     * told, as its operation goes on.
     */
    private static void tellFailed(Request request, CallError fault) {
        if (request.isInactive()) {
            request.onFailed(fault);
        }
    }

    private static void settle(OperationSet set, boolean waits, boolean all) {
        if (waits && all) {
            set.awaitAll();
        } else if (waits) {
            set.awaitAny();
        } else if (all ? set.hasOpen() : !set.hasEnded()) {
            set.poll();
        }
    }

    /** Does the work of {@link Request#getStatus}. */
    static Status look(Request request) {
        Rank rank = enter("getStatus", request);
        if (request.isInactive()) {
            return Status.empty(0);
        }
        CallError heldUp;
        try (OperationSet set = rank.runtime().operations("getStatus")) {
            Operation operation = request.operation();
            if (operation == null) {
                return Status.empty(0);
            }
            set.add(operation);
            settle(set, false, true);
            if (operation.isDone()) {
                return Status.of(operation, 0);
            }
            heldUp = set.fault(operation);
        } catch (CallError misuse) {
            throw Exceptions.of(request.comm(), request.state(), misuse);
        }
        if (heldUp != null) {
            throw Exceptions.ofRequest(request, heldUp, Status.pending(MPI.ERR_PROC_FAILED_PENDING, 0));
        }
        return null;
    }

    static void cancel(Request request) {
        Rank rank = enter("cancel", request);
        if (request.isInactive()) {
            throw Exceptions.withoutCommunicator(
                    "cancel", MPI.ERR_REQUEST, "the request has no operation; allowed: one that is not complete");
        }
        try (OperationSet set = rank.runtime().operations("cancel")) {
            Operation operation = request.operation();
            if (operation instanceof CollectiveCall call && call.isOfMembers()) {
                throw set.notOfCollective(operation);
            }
            if (operation != null) {
                set.cancel(operation);
            }
        } catch (CallError misuse) {
            throw Exceptions.of(request.comm(), request.state(), misuse);
        }
    }

    static void free(Request request) {
        Rank rank = enter("free", request);
        if (request.isInactive()) {
            request.onFreed();
            return;
        }
        CallError fault = null;
        try (OperationSet set = rank.runtime().operations("free")) {
            Operation operation = request.operation();
            if (operation instanceof CollectiveCall call && call.isOfMembers() && !hasFailed(call)) {
                throw set.notOfCollective(operation);
            }
            if (operation != null) {
                set.add(operation);
                fault = operation.isDone() ? set.fault(operation) : null;
                request.forget();
            }
        } catch (CallError misuse) {
            throw Exceptions.of(request.comm(), request.state(), misuse);
        }
        request.onFreed();
        if (fault != null) {
            request.onFailed(fault);
        }
    }

    private static boolean hasFailed(Operation operation) {
        return operation.isDone() && operation.error() != ErrorClass.SUCCESS;
    }

    static int any(String call, Request[] requests, boolean waits) {
        Rank rank = enter(call, requests);
        return any(rank, call, requests, waits, null);
    }

    /**
     * Waits until one of the requests has ended or is held up by a failure, or tests them. Throws if the request that
     * it finds failed or is held up by a failure. Returns the status of a request that has ended with success; null if
     * a test finds none; an empty status with the index {@link MPI#UNDEFINED} if all requests are null or inactive.
     */
    static Status any(String call, Request[] requests, boolean waits, boolean wantsStatus) {
        Rank rank = enter(call, requests);
        Status[] status = new Status[1];
        any(rank, call, requests, waits, status);
        return status[0];
    }

    private static int any(Rank rank, String call, Request[] requests, boolean waits, Status[] wanted) {
        int index;
        Status status;
        CallError fault;
        try (OperationSet set = rank.runtime().operations(call)) {
            addUntilEnded(set, requests);
            if (set.isEmpty()) {
                if (wanted != null) {
                    wanted[0] = Status.empty(MPI.UNDEFINED);
                }
                return MPI.UNDEFINED;
            }
            settle(set, waits, false);
            index = firstEnded(requests, set);
            if (index < 0) {
                return MPI.UNDEFINED;
            }
            Request request = requests[index];
            Operation operation = request.operation();
            fault = set.fault(operation);
            status = operation.isDone()
                    ? request.end(set, index, wanted != null || fault != null)
                    : Status.pending(MPI.ERR_PROC_FAILED_PENDING, index);
        } catch (CallError misuse) {
            throw misuse(requests, misuse);
        }
        if (fault != null) {
            tellFailed(requests[index], fault);
            throw Exceptions.ofRequest(requests[index], fault, status);
        }
        if (wanted != null) {
            wanted[0] = status;
        }
        return index;
    }

    private static void add(OperationSet set, Request[] requests) {
        for (Request request : requests) {
            Operation operation = request.operation();
            if (operation != null) {
                set.add(operation);
            }
        }
    }

    private static void addUntilEnded(OperationSet set, Request[] requests) {
        for (int i = 0; i < requests.length && !set.hasEnded(); i++) {
            Operation operation = requests[i].operation();
            if (operation != null) {
                set.add(operation);
            }
        }
    }

    /**
     * The index of the first request that has ended. If none has ended, the index of the first one that is held up by a
     * failure; if there is none either, -1.
     */
    private static int firstEnded(Request[] requests, OperationSet set) {
        int heldUp = -1;
        for (int i = 0; i < requests.length; i++) {
            Operation operation = requests[i].operation();
            if (operation != null) {
                if (operation.isDone()) {
                    return i;
                }
                if (heldUp < 0 && set.isTroubled() && operation.isHeldUp()) {
                    heldUp = i;
                }
            }
        }
        return heldUp;
    }

    /**
     * Waits until all requests have ended, or one has failed or is held up by a failure, or tests them. Throws if one
     * has failed or is held up by a failure. Else returns the statuses of all, or an empty array if none are wanted;
     * null if a test finds a request that has not ended.
     */
    static Status[] all(String call, Request[] requests, boolean waits, boolean wantsStatuses) {
        Rank rank = enter(call, requests);
        Status[] statuses = wantsStatuses ? new Status[requests.length] : NO_STATUSES;
        Trouble trouble = null;
        try (OperationSet set = rank.runtime().operations(call)) {
            add(set, requests);
            settle(set, waits, true);
            if (set.isTroubled()) {
                trouble = troubleOfAll(set, requests);
            } else if (set.hasOpen()) {
                return null;
            } else {
                endAll(set, requests, wantsStatuses ? statuses : null);
            }
        } catch (CallError misuse) {
            throw misuse(requests, misuse);
        }
        if (trouble != null) {
            throw trouble.raise(call, requests.length, wantsStatuses);
        }
        return statuses;
    }

    private static void endAll(OperationSet set, Request[] requests, Status[] statuses) {
        for (int i = 0; i < requests.length; i++) {
            Status status = endUnlessNull(set, requests[i], i, statuses != null);
            if (statuses != null) {
                statuses[i] = status;
            }
        }
    }

    private static Trouble troubleOfAll(OperationSet set, Request[] requests) {
        Trouble trouble = new Trouble(requests.length);
        for (int i = 0; i < requests.length; i++) {
            trouble.status(i, statusOf(set, requests[i], i, trouble));
        }
        return trouble;
    }

    /**
     * Completes a request if its operation has ended. Returns the request's status in any case: one of class PENDING or
     * PROC_FAILED_PENDING if the operation has not ended.
     */
    private static Status statusOf(OperationSet set, Request request, int index, Trouble trouble) {
        Operation operation = request.operation();
        if (operation == null) {
            return Status.empty(index);
        }
        if (operation.isDone()) {
            if (operation.error() != ErrorClass.SUCCESS) {
                trouble.add(request, index, operation.error(), set);
            }
            return request.end(set, index, true);
        }
        if (operation.isHeldUp()) {
            trouble.add(request, index, ErrorClass.PROC_FAILED_PENDING, set);
            return Status.pending(MPI.ERR_PROC_FAILED_PENDING, index);
        }
        return Status.pending(MPI.ERR_PENDING, index);
    }

    static int[] some(String call, Request[] requests, boolean waits) {
        Some some = some(call, requests, waits, false);
        return some == null ? null : some.indices;
    }

    static Status[] someStatuses(String call, Request[] requests, boolean waits) {
        Some some = some(call, requests, waits, true);
        return some == null ? null : some.statuses;
    }

    private record Some(int[] indices, Status[] statuses) {}

    /**
     * Waits until at least one request has ended, or tests them. Returns the requests that have ended, or null if all
     * requests are null or inactive. Throws if one of them failed or is held up by a failure.
     */
    private static Some some(String call, Request[] requests, boolean waits, boolean wantsStatuses) {
        Rank rank = enter(call, requests);
        int[] indices;
        Status[] statuses;
        Trouble trouble = null;
        try (OperationSet set = rank.runtime().operations(call)) {
            add(set, requests);
            if (set.isEmpty()) {
                return null;
            }
            settle(set, waits, false);
            indices = ended(set, requests);
            statuses = wantsStatuses ? new Status[indices.length] : NO_STATUSES;
            if (set.isTroubled()) {
                trouble = troubleOfSome(set, requests, indices);
            } else {
                endSome(set, requests, indices, wantsStatuses ? statuses : null);
            }
        } catch (CallError misuse) {
            throw misuse(requests, misuse);
        }
        if (trouble != null) {
            throw trouble.raise(call, requests.length, wantsStatuses);
        }
        return new Some(indices, statuses);
    }

    private static void endSome(OperationSet set, Request[] requests, int[] indices, Status[] statuses) {
        for (int i = 0; i < indices.length; i++) {
            Status status = endUnlessNull(set, requests[indices[i]], indices[i], statuses != null);
            if (statuses != null) {
                statuses[i] = status;
            }
        }
    }

    /**
     * Completes a request. If the request has no operation, because it is null or inactive or the program gave it
     * twice, the method does nothing and returns an empty status, or {@link Status#UNWANTED} if none is wanted.
     */
    private static Status endUnlessNull(OperationSet set, Request request, int index, boolean wantsStatus) {
        if (request.operation() == null) {
            return wantsStatus ? Status.empty(index) : Status.UNWANTED;
        }
        return request.end(set, index, wantsStatus);
    }

    /** Indices of the requests that have ended or are held up by a failure, ascending. */
    private static int[] ended(OperationSet set, Request[] requests) {
        int count = 0;
        for (Request request : requests) {
            count += isEnded(set, request.operation()) ? 1 : 0;
        }
        int[] indices = new int[count];
        for (int i = requests.length - 1; count > 0; i--) {
            if (isEnded(set, requests[i].operation())) {
                indices[--count] = i;
            }
        }
        return indices;
    }

    private static boolean isEnded(OperationSet set, Operation operation) {
        return operation != null && (operation.isDone() || set.isTroubled() && operation.isHeldUp());
    }

    private static Trouble troubleOfSome(OperationSet set, Request[] requests, int[] indices) {
        Trouble trouble = new Trouble(indices.length);
        for (int i = 0; i < indices.length; i++) {
            trouble.status(i, statusOf(set, requests[indices[i]], indices[i], trouble));
        }
        return trouble;
    }
}
