package org.ulfmj.runtime.recovery;

import java.util.Map;
import org.ulfmj.agree.ReplaceOutcome;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.protocol.Membership;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.CallSite;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.error.NotReplaced;
import org.ulfmj.runtime.transfer.CallErrors;
import org.ulfmj.runtime.transfer.MessageContext;

/** The words for calls in which members decide something together and that fail. */
public final class RecoveryErrors {
    private static final String REPLACE = "replace";

    private RecoveryErrors() {}

    /** An agreement in which some failure was not acknowledged by every rank. */
    public static CallError unacknowledged(MessageContext communicator, String what, Decision decision, int value) {
        StringBuilder why = new StringBuilder("not every member has acknowledged the failure of rank");
        String separator = " ";
        for (int slot : decision.failed().toArray()) {
            why.append(separator).append(communicator.members().rank(slot));
            separator = ", ";
        }
        return new CallError(
                ErrorClass.PROC_FAILED,
                communicator.failures().inOrder(),
                value,
                CallErrors.text(
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
    public static CallError mixedKinds(MessageContext communicator, Kind mine, CallSite callSite, Decision decision) {
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
        return CallErrors.fault(
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
    public static CallError notTheWorld(MessageContext communicator, Membership world) {
        return CallErrors.fault(
                ErrorClass.COMM,
                communicator,
                REPLACE,
                "it does not have the members of the present world, which has " + world.size() + " of epoch "
                        + world.epoch(),
                "Call it on COMM_WORLD, and split() the result to have the others again");
    }

    /** The replacement of a failed member did not come, and the policy is not to go on without. */
    public static CallError notReplaced(MessageContext communicator, ReplaceOutcome.NotReplaced outcome) {
        StringBuilder why = new StringBuilder("no process took the place of rank");
        String separator = " ";
        for (int slot : outcome.missing().toArray()) {
            why.append(separator).append(communicator.members().rank(slot));
            separator = ", ";
        }
        String fact = why.append(" (").append(outcome.why()).append(')').toString();
        String advice = "All members get this error: shrink() goes on with those that are left, and with"
                + " ulfm.replace.policy=shrink replace() does so itself";
        return new NotReplaced(
                        communicator.failures().inOrder(),
                        outcome.mayStillCome(),
                        CallErrors.text(communicator, REPLACE, fact, advice))
                .withFact(CallErrors.text(communicator, REPLACE, fact, ""));
    }

    /** One world follows another, not two at once. */
    public static CallError replacing(MessageContext communicator) {
        return CallErrors.fault(
                ErrorClass.OTHER,
                communicator,
                REPLACE,
                "another thread of this rank is in replace()",
                "One thread calls it, for all");
    }

    /** No rank watches, so no rank is replaced. */
    public static CallError withoutFaultTolerance(MessageContext communicator, String what) {
        return CallErrors.fault(
                ErrorClass.UNSUPPORTED_OPERATION,
                communicator,
                what,
                "the job runs without fault tolerance (--with-ft none)",
                "There a failure ends the job");
    }

    /** A thread calls what another one has ended by Finalize. */
    public static CallError finalizing(MessageContext communicator, Kind call) {
        return CallErrors.fault(
                ErrorClass.OTHER,
                communicator,
                call.callName(),
                "another thread of this rank is in Finalize",
                "Finalize is the last call of a rank: its other threads must be done before");
    }
}
