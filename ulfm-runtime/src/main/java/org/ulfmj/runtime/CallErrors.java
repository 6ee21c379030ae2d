package org.ulfmj.runtime;

import java.io.Serializable;
import java.util.Map;
import org.ulfmj.agree.ReplaceOutcome;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.detector.Evidence;
import org.ulfmj.detector.FailureSet;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.CallSite;
import org.ulfmj.runtime.error.DescriptionMismatch;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.error.ErrorWords;
import org.ulfmj.runtime.error.FailureText;
import org.ulfmj.runtime.error.NotReplaced;
import org.ulfmj.runtime.error.RevokedText;

/**
 * Puts into words what went wrong: the operation, the communicator, who failed, who declared it on what evidence how
 * long ago, and what the program can do next. Under the engine lock.
 */
final class CallErrors {
    private static final String REPLACE = "replace";

    private final RankEngine engine;

    CallErrors(RankEngine engine) {
        this.engine = engine;
    }

    /** How an operation ended that did not succeed. */
    CallError of(Operation operation) {
        engine.progress().onError();
        if (operation.fault != null) {
            return operation.fault;
        }
        CommunicatorState communicator = operation.communicator;
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

    private CallError ofPeer(CommunicatorState communicator, String what, Operation operation) {
        if (operation.peer == null) {
            return heldUp(communicator, what, ErrorClass.PROC_FAILED);
        }
        int rank = operation.source == Communicator.ANY_SOURCE ? operation.namedPeer() : operation.source;
        String why = operation.peer.failed
                ? failure(rank, operation.peer.id)
                : "rank " + rank + " has finalized, so it takes part in nothing any more";
        return fault(
                ErrorClass.PROC_FAILED,
                communicator,
                what,
                why,
                "Other ranks can still be reached; revoke() ends what waits for this one, shrink() leaves it out");
    }

    private CallError truncated(Operation operation) {
        ReceiveOperation receive = (ReceiveOperation) operation;
        String sizes = "a message of " + receive.messageBytes + " bytes from rank " + receive.source + " met room for "
                + receive.payload.lengthBytes();
        String advice = operation.run == null
                ? "Receive into a larger buffer; probe() tells the size"
                : "All ranks must give equal counts and types";
        return fault(ErrorClass.TRUNCATE, operation.communicator, operation.describe(), sizes, advice);
    }

    /** An operation that a call is to complete which is being completed already. */
    CallError inUse(Operation operation, String call, boolean twice) {
        return fault(
                ErrorClass.REQUEST,
                operation.communicator,
                call,
                "the request for " + operation.describe() + " is "
                        + (twice ? "given twice" : "being completed by another call at the same time"),
                "One call completes a request");
    }

    /** A receive or probe from any source, while a failure is not acknowledged. */
    CallError heldUp(CommunicatorState communicator, String what, ErrorClass error) {
        int[] failed = communicator.failures.inOrder();
        String why = failed.length == 0 ? "a member has failed" : failure(communicator, failed[failed.length - 1]);
        return fault(
                error,
                communicator,
                what,
                why + ", and it might have been the sender",
                "ackFailed() allows to go on receiving from the others");
    }

    /** A probe of a rank that is gone. */
    CallError ofNamed(CommunicatorState communicator, String what, int rank) {
        Peer peer = engine.peers().of(communicator, rank);
        String why = peer.failed ? failure(rank, peer.id) : "rank " + rank + " has finalized";
        return fault(ErrorClass.PROC_FAILED, communicator, what, why, "Other ranks can still be reached");
    }

    /** A collective operation that cannot have its normal result here. */
    CallError ofCollective(CommunicatorState communicator, String what, ErrorClass error) {
        engine.progress().onError();
        return switch (error) {
            case REVOKED -> revoked(communicator, what);
            case PROC_FAILED -> ofMembers(communicator, what);
            case TRUNCATE ->
                fault(
                        error,
                        communicator,
                        what,
                        "a message of another length than expected came",
                        "All ranks must give equal counts and types");
            default -> fault(error, communicator, what, "failed with " + error, "");
        };
    }

    /** Ranks are in different collective operations, or in one with different arguments. */
    CallError mismatch(CommunicatorState communicator, String what, String difference) {
        return fault(
                ErrorClass.TRUNCATE,
                communicator,
                what,
                difference,
                "All ranks must make the same calls in the same order, with equal counts, types, operators and roots");
    }

    /** A member is in another operation than this rank, by what both say of it; 0 is nothing. */
    CallError described(CommunicatorState communicator, String what, int peer, long theirs, long mine) {
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

    private CallError ofMembers(CommunicatorState communicator, String what) {
        String advice = "Other ranks may have succeeded or may wait: revoke() it, then shrink()";
        int[] failed = communicator.failures.inOrder();
        if (failed.length == 0) {
            return fault(ErrorClass.PROC_FAILED, communicator, what, "a member has finalized", advice);
        }
        ProcessId process = communicator.process(failed[0]);
        FailureSet failures = engine.control().failures();
        Evidence evidence = failures.evidence(process);
        long agoNs = evidence == null ? 0 : engine.nowNs() - failures.failedAtNs(process);
        return new CallError(
                ErrorClass.PROC_FAILED,
                failed,
                new FailureText(
                        what,
                        communicator.label,
                        communicator.members.size(),
                        failed[0],
                        process,
                        evidence,
                        agoNs,
                        advice));
    }

    /** @param what the operation, by its {@code toString}, whenever that is asked for */
    CallError revoked(CommunicatorState communicator, Serializable what) {
        return new CallError(
                ErrorClass.REVOKED,
                communicator.failures.inOrder(),
                new RevokedText(what, communicator.label, communicator.members.size()));
    }

    CallError freed(CommunicatorState communicator, String what) {
        return fault(ErrorClass.COMM, communicator, what, "the communicator was freed", "It cannot be used any more");
    }

    CallError notFreeable(CommunicatorState communicator) {
        return fault(
                ErrorClass.COMM,
                communicator,
                "free",
                communicator.label + " lives as long as the rank",
                "Only communicators that were made can be freed");
    }

    /** An agreement in which some failure was not acknowledged by every rank. */
    CallError unacknowledged(CommunicatorState communicator, String what, Decision decision, int value) {
        StringBuilder why = new StringBuilder("not every member has acknowledged the failure of rank");
        String separator = " ";
        for (int slot : decision.failed().toArray()) {
            why.append(separator).append(communicator.members.rank(slot));
            separator = ", ";
        }
        return new CallError(
                ErrorClass.PROC_FAILED,
                communicator.failures.inOrder(),
                value,
                text(
                        communicator,
                        what,
                        why.append("; the agreed value is ").append(value).toString(),
                        "All members get this error: ackFailed() and agree() again, or shrink()"));
    }

    /**
     * Members called different things in one agreement: the mistake is told to every rank.
     *
     * @param callSite of this rank's call
     */
    CallError mixedKinds(CommunicatorState communicator, Kind mine, CallSite callSite, Decision decision) {
        StringBuilder why = new StringBuilder("this rank called ")
                .append(mine.callName())
                .append(" at ")
                .append(callSite);
        for (Map.Entry<Kind, Integer> other : decision.kinds().entrySet()) {
            if (other.getKey() != mine && !isOwnSecondHalf(mine, other.getKey(), decision)) {
                why.append(", rank ")
                        .append(other.getValue())
                        .append(" called ")
                        .append(other.getKey().callName());
            }
        }
        return fault(
                ErrorClass.ARG,
                communicator,
                mine.callName(),
                why.toString(),
                "All members must make the same recovery calls in the same order; nothing was done");
    }

    /** The second agreement of agree(UNIFORM) is the same call, where no rank was in a first one meanwhile. */
    private static boolean isOwnSecondHalf(Kind mine, Kind other, Decision decision) {
        return mine == Kind.AGREE_UNIFORM
                && other == Kind.CONFIRM_UNIFORM
                && !decision.kinds().containsKey(Kind.AGREE_UNIFORM);
    }

    /** Replace is called on something that is not the world. */
    CallError notTheWorld(CommunicatorState communicator, Membership world) {
        return fault(
                ErrorClass.COMM,
                communicator,
                REPLACE,
                "it does not have the members of the present world, which has " + world.size() + " of epoch "
                        + world.epoch(),
                "Call it on COMM_WORLD, and split() the result to have the others again");
    }

    /** The replacement of a failed member did not come, and the policy is not to go on without. */
    CallError notReplaced(CommunicatorState communicator, ReplaceOutcome.NotReplaced outcome) {
        StringBuilder why = new StringBuilder("no process took the place of rank");
        String separator = " ";
        for (int slot : outcome.missing().toArray()) {
            why.append(separator).append(communicator.members.rank(slot));
            separator = ", ";
        }
        String fact = why.append(" (").append(outcome.why()).append(')').toString();
        String advice = "All members get this error: shrink() goes on with those that are left, and with"
                + " ulfm.replace.policy=shrink replace() does so itself";
        return new NotReplaced(
                        communicator.failures.inOrder(),
                        outcome.mayStillCome(),
                        text(communicator, REPLACE, fact, advice))
                .withFact(text(communicator, REPLACE, fact, ""));
    }

    /** One world follows another, not two at once. */
    CallError replacing(CommunicatorState communicator) {
        return fault(
                ErrorClass.OTHER,
                communicator,
                REPLACE,
                "another thread of this rank is in replace()",
                "One thread calls it, for all");
    }

    /** No rank watches, so no rank is replaced. */
    CallError withoutFaultTolerance(CommunicatorState communicator, String what) {
        return fault(
                ErrorClass.UNSUPPORTED_OPERATION,
                communicator,
                what,
                "the job runs without fault tolerance (--with-ft none)",
                "There a failure ends the job");
    }

    /** A thread calls what another one has ended by Finalize. */
    CallError finalizing(CommunicatorState communicator, Kind call) {
        return fault(
                ErrorClass.OTHER,
                communicator,
                call.callName(),
                "another thread of this rank is in Finalize",
                "Finalize is the last call of a rank: its other threads must be done before");
    }

    private String failure(CommunicatorState communicator, int rank) {
        return failure(rank, communicator.process(rank));
    }

    private String failure(int rank, ProcessId process) {
        FailureSet failures = engine.control().failures();
        Evidence evidence = failures.evidence(process);
        return ErrorWords.failure(
                rank, process, evidence, evidence == null ? 0 : engine.nowNs() - failures.failedAtNs(process));
    }

    private static CallError fault(
            ErrorClass error, CommunicatorState communicator, String what, String why, String advice) {
        int[] failed = communicator.failures.inOrder();
        return new CallError(error, failed, 0, text(communicator, what, why, advice))
                .withFact(text(communicator, what, why, ""));
    }

    private static String text(CommunicatorState communicator, String what, String why, String advice) {
        return ErrorWords.text(what, communicator.toString(), why, advice);
    }
}
