package org.ulfmj.runtime.recovery;

import java.util.Map;
import org.ulfmj.agree.change.ChangeOutcome;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.protocol.Membership;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.CallSite;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.error.NotReplaced;
import org.ulfmj.runtime.transfer.CallErrors;
import org.ulfmj.runtime.transfer.MessageContext;

/** Makes the errors of calls in which members decide something together. */
public final class RecoveryErrors {
    private static final String REPLACE = "replace";

    private RecoveryErrors() {}

    /** The error of an agree in which not every member has acknowledged some failure. */
    public static CallError unacknowledged(MessageContext communicator, String what, Decision decision, int value) {
        StringBuilder why = new StringBuilder("not every member has acknowledged the failure of ");
        String separator = communicator.isInter() ? "" : "rank ";
        for (int slot : decision.failed().toArray()) {
            int member = communicator.members().rank(slot);
            why.append(separator)
                    .append(communicator.isInter() ? communicator.nameOf(member) : Integer.toString(member));
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
     * The error of an agreement into which members brought different calls. Every member gets it.
     *
     * @param callSite where this rank made its call
     */
    public static CallError mixedKinds(MessageContext communicator, Kind mine, CallSite callSite, Decision decision) {
        StringBuilder why = new StringBuilder("this rank called ")
                .append(mine.callName())
                .append(" at ")
                .append(callSite);
        for (Map.Entry<Kind, Integer> other : decision.kinds().entrySet()) {
            if (other.getKey() != mine && !isOwnSecondHalf(mine, other.getKey(), decision)) {
                why.append(", ")
                        .append(communicator.nameOf(other.getValue()))
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

    /**
     * Whether {@code other} is the second agreement of {@code agree(UNIFORM)}, and so the same call as this rank's
     * {@code agree(UNIFORM)}. It is the same call if no member brought a first agreement of that call.
     */
    private static boolean isOwnSecondHalf(Kind mine, Kind other, Decision decision) {
        return mine == Kind.AGREE_UNIFORM
                && other == Kind.CONFIRM_UNIFORM
                && !decision.kinds().containsKey(Kind.AGREE_UNIFORM);
    }

    /** The error of a {@code grow} by the program in a job of the recovery mode Rabit, which calls it by itself. */
    public static CallError grownByRabit(MessageContext communicator) {
        return CallErrors.fault(
                ErrorClass.UNSUPPORTED_OPERATION,
                communicator,
                Kind.GROW.callName(),
                "this job uses Rabit, which lets in processes that wait by itself, after a checkpoint",
                "Call Rabit.checkpoint");
    }

    /** The error of replace or grow on a communicator whose members are not those of the present world in its order. */
    public static CallError notTheWorld(MessageContext communicator, Kind call, Membership world) {
        return CallErrors.fault(
                ErrorClass.COMM,
                communicator,
                call.callName(),
                "it does not have the members of the present world, which has " + world.size() + " of epoch "
                        + world.epoch(),
                "Call it on COMM_WORLD, and split() the result to have the others again");
    }

    /**
     * The error of a replace in which a failed member got no replacement, and the policy does not allow going on
     * without one.
     */
    public static CallError notReplaced(MessageContext communicator, ChangeOutcome.Incomplete outcome) {
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

    /**
     * The error of replace or grow while another thread of the rank is in replace or grow: worlds follow each other,
     * and a rank cannot take part in two changes at once.
     *
     * @param other the call that the other thread is in
     */
    public static CallError changing(MessageContext communicator, Kind call, Kind other) {
        return CallErrors.fault(
                ErrorClass.OTHER,
                communicator,
                call.callName(),
                "another thread of this rank is in " + other.callName() + "()",
                "One thread calls it, for all");
    }

    /**
     * The error of a grow that failed since the addresses of the members of the next world, or of the processes that
     * wait, do not fit into one message. Every member gets it, and nothing has changed.
     */
    public static CallError notGrown(MessageContext communicator, ChangeOutcome.Incomplete outcome) {
        return CallErrors.fault(
                ErrorClass.SPAWN,
                communicator,
                Kind.GROW.callName(),
                outcome.why(),
                "All members get this error, and nothing has changed");
    }

    /** The error of a call that needs fault tolerance in a job that runs without it. */
    public static CallError withoutFaultTolerance(MessageContext communicator, String what) {
        return CallErrors.fault(
                ErrorClass.UNSUPPORTED_OPERATION,
                communicator,
                what,
                "the job runs without fault tolerance (--with-ft none)",
                "There a failure ends the job");
    }

    /** The error of a recovery call while another thread of the rank is in Finalize. */
    public static CallError finalizing(MessageContext communicator, Kind call) {
        return CallErrors.fault(
                ErrorClass.OTHER,
                communicator,
                call.callName(),
                "another thread of this rank is in Finalize",
                "Finalize is the last call of a rank: its other threads must be done before");
    }
}
