package org.ulfmj.runtime.transfer;

import java.io.Serializable;
import org.ulfmj.detector.Evidence;
import org.ulfmj.detector.FailureSet;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.DescriptionMismatch;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.error.ErrorWords;
import org.ulfmj.runtime.error.FailureText;
import org.ulfmj.runtime.error.RevokedText;
import org.ulfmj.runtime.message.MessageKey;
import org.ulfmj.runtime.progress.Clock;
import org.ulfmj.runtime.progress.Progress;

/**
 * Makes the errors of operations and puts into words what went wrong: the operation, the communicator, the failed rank,
 * which process declared the failure, on what evidence and how long ago, and what the program can do next. Under the
 * engine lock.
 */
public final class CallErrors {
    private static final String SAME_CALLS =
            "All ranks must make the same calls in the same order, with equal counts, types, operators and roots";

    private final Peers peers;
    private final FailureSet failures;
    private final Clock clock;
    private final Progress progress;

    /** @param failures that this rank knows of */
    public CallErrors(Traffic traffic, FailureSet failures, Clock clock, Progress progress) {
        this.peers = traffic.peers();
        this.failures = failures;
        this.clock = clock;
        this.progress = progress;
    }

    /** The error of a call that is not allowed for the request of a collective operation. */
    public CallError notOfCollective(Operation operation, String call) {
        return fault(
                ErrorClass.REQUEST,
                operation.communicator,
                call,
                "the request is that of a collective operation, " + operation.describe(),
                "Wait for it or test it: all members take part to its end");
    }

    /** Makes the error of an operation that ended without success. */
    public CallError of(Operation operation) {
        progress.onError();
        if (operation.fault != null) {
            return operation.fault;
        }
        MessageContext communicator = operation.communicator;
        if (operation.stream == MessageKey.COLLECTIVE && operation.run == null) {
            return ofCollective(communicator, operation.describe(), operation.error);
        }
        if (operation.error == ErrorClass.REVOKED) {
            return revoked(communicator, operation.words());
        }
        String what = operation.describe();
        return switch (operation.error) {
            case TRUNCATE -> truncated(operation);
            case PROC_FAILED -> ofPeer(communicator, what, operation);
            default -> fault(operation.error, communicator, what, "failed with " + operation.error, "");
        };
    }

    private CallError ofPeer(MessageContext communicator, String what, Operation operation) {
        if (operation.peer == null) {
            return heldUp(communicator, what, ErrorClass.PROC_FAILED);
        }
        int rank = operation.source == MessageKey.ANY_SOURCE ? operation.namedPeer() : operation.source;
        String why = operation.peer.failed
                ? failure(communicator, rank, operation.peer.id)
                : communicator.nameOf(rank) + " has finalized, so it takes part in nothing any more";
        return fault(
                ErrorClass.PROC_FAILED,
                communicator,
                what,
                why,
                "Other ranks can still be reached; revoke() ends what waits for this one, shrink() leaves it out");
    }

    private CallError truncated(Operation operation) {
        ReceiveOperation receive = (ReceiveOperation) operation;
        String sizes =
                "a message of " + receive.messageBytes + " bytes from " + receive.communicator.nameOf(receive.source)
                        + " met room for "
                        + receive.payload.lengthBytes();
        String advice = operation.run == null ? "Receive into a larger buffer; probe() tells the size" : SAME_CALLS;
        return fault(ErrorClass.TRUNCATE, operation.communicator, operation.describe(), sizes, advice);
    }

    /**
     * The error of a call that is to complete an operation which another call is already completing, or the same call a
     * second time.
     */
    CallError inUse(Operation operation, String call, boolean twice) {
        return fault(
                ErrorClass.REQUEST,
                operation.communicator,
                call,
                "the request for " + operation.describe() + " is "
                        + (twice ? "given twice" : "being completed by another call at the same time"),
                "One call completes a request");
    }

    /** The error of a receive or probe from any source that waits while a member's failure is not acknowledged. */
    public CallError heldUp(MessageContext communicator, String what, ErrorClass error) {
        int[] failed = communicator.failures.inOrder();
        String why = failed.length == 0 ? "a member has failed" : failure(communicator, failed[failed.length - 1]);
        return fault(
                error,
                communicator,
                what,
                why + ", and it might have been the sender",
                "ackFailed() allows to go on receiving from the others");
    }

    /**
     * The error of a probe, or of a call that makes a communicator, that names a rank which has failed or finalized.
     */
    public CallError ofNamed(MessageContext communicator, String what, int rank) {
        Peer peer = peers.of(communicator, rank);
        String why = peer.failed ? failure(communicator, rank, peer.id) : communicator.nameOf(rank) + " has finalized";
        return fault(ErrorClass.PROC_FAILED, communicator, what, why, "Other ranks can still be reached");
    }

    /**
     * The error of a collective operation that cannot have its normal result at this rank, in words for its error
     * class.
     */
    public CallError ofCollective(MessageContext communicator, String what, ErrorClass error) {
        progress.onError();
        return switch (error) {
            case REVOKED -> revoked(communicator, what);
            case PROC_FAILED -> ofMembers(communicator, what);
            case TRUNCATE ->
                fault(error, communicator, what, "a message of another length than expected came", SAME_CALLS);
            default -> fault(error, communicator, what, "failed with " + error, "");
        };
    }

    /** The error if members are in different collective operations, or in the same one with different arguments. */
    public CallError mismatch(MessageContext communicator, String what, String difference) {
        return fault(ErrorClass.TRUNCATE, communicator, what, difference, SAME_CALLS);
    }

    /**
     * The error if a peer describes another collective operation than this rank does, or the same at another place in
     * the order of calls. A description of 0 means that the rank gave none.
     *
     * @param theirs the peer's description of its operation
     * @param mine this rank's description
     */
    public CallError described(MessageContext communicator, String what, int peer, long theirs, long mine) {
        String own = theirs == mine
                ? "this rank in the same at another place in the order of calls"
                : "this rank in one " + description(mine);
        String difference = "rank " + peer + " is in an operation " + description(theirs) + ", " + own;
        String advice = "All ranks must make the same calls in the same order; revoke() frees those that wait";
        return new DescriptionMismatch(
                        communicator.failures.inOrder(),
                        peer,
                        theirs,
                        mine,
                        text(communicator, what, difference, advice))
                .withFact(text(communicator, what, difference, ""));
    }

    private static String description(long description) {
        return description == 0 ? "without a description" : "described as " + Long.toHexString(description);
    }

    private CallError ofMembers(MessageContext communicator, String what) {
        String advice = "Other ranks may have succeeded or may wait: revoke() it, then shrink()";
        int[] failed = communicator.failures.inOrder();
        if (failed.length == 0) {
            return fault(ErrorClass.PROC_FAILED, communicator, what, "a member has finalized", advice);
        }
        ProcessId process = communicator.process(failed[0]);
        Evidence evidence = failures.evidence(process);
        long agoNs = evidence == null ? 0 : clock.nowNs() - failures.failedAtNs(process);
        return new CallError(
                ErrorClass.PROC_FAILED,
                failed,
                new FailureText(
                        what,
                        communicator.label,
                        communicator.members.size(),
                        communicator.nameOf(failed[0]),
                        process,
                        evidence,
                        agoNs,
                        advice));
    }

    /**
     * @param what the operation in words: its {@code toString} is called each time that the text of the error is asked
     *     for
     */
    public CallError revoked(MessageContext communicator, Serializable what) {
        return new CallError(
                ErrorClass.REVOKED,
                communicator.failures.inOrder(),
                new RevokedText(what, communicator.label, communicator.members.size()));
    }

    public CallError freed(MessageContext communicator, String what) {
        return fault(ErrorClass.COMM, communicator, what, "the communicator was freed", "It cannot be used any more");
    }

    /** The error of {@code free} called by the program for a communicator that the program may not free. */
    public CallError notFreeable(MessageContext communicator) {
        return fault(
                ErrorClass.COMM,
                communicator,
                "free",
                communicator.label() + " lives as long as the rank",
                "Only communicators that were made can be freed");
    }

    private String failure(MessageContext communicator, int rank) {
        return failure(communicator, rank, communicator.process(rank));
    }

    private String failure(MessageContext communicator, int rank, ProcessId process) {
        Evidence evidence = failures.evidence(process);
        return ErrorWords.failure(
                communicator.nameOf(rank),
                process,
                evidence,
                evidence == null ? 0 : clock.nowNs() - failures.failedAtNs(process));
    }

    /**
     * The error of a wait inside an operator of the program for an operation that never ends: its own operator cannot
     * run before the waiting one returns.
     */
    public CallError ofNestedOperators(Operation operation) {
        return fault(
                ErrorClass.OTHER,
                operation.communicator,
                operation.describe(),
                "its operator cannot run: this wait is in an operator of the program, at the end of a chain of as many"
                        + " operators as may run at a time at a rank, each of which waits for the next one",
                "An operator may wait for operations whose operators wait for others, but not so deep");
    }

    /** Makes the error of a call that failed. Its text says what failed, why, and what the program can do next. */
    public static CallError fault(
            ErrorClass error, MessageContext communicator, String what, String why, String advice) {
        int[] failed = communicator.failures.inOrder();
        return new CallError(error, failed, 0, text(communicator, what, why, advice))
                .withFact(text(communicator, what, why, ""));
    }

    public static String text(MessageContext communicator, String what, String why, String advice) {
        return ErrorWords.text(what, communicator.toString(), why, advice);
    }
}
