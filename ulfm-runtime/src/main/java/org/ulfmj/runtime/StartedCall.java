package org.ulfmj.runtime;

import org.ulfmj.runtime.collective.CollectiveBuffer;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.run.KeptCall;
import org.ulfmj.runtime.collective.run.ScheduleRun;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.error.ThrownByProgram;
import org.ulfmj.runtime.host.HostArguments;
import org.ulfmj.runtime.recovery.UniformOutcomes;

/**
 * A call of {@link StartedCollectives}: it is told how the operation ended at this rank and, where the hints about
 * errors ask that it ends alike at all members, at those, and then lets go of the program's buffers. An object whose
 * call has ended without an error, and whose request is complete, may be used again.
 */
final class StartedCall extends CollectiveCall implements ScheduleRun.Listener {
    private final StartedCollectives owner;
    private final HostArguments arguments = new HostArguments();
    private CollectiveBuffer send;
    private CollectiveBuffer receive;
    /** How the operation ends at all members together; null unless the hints ask that it ends alike at all of them. */
    private UniformOutcomes.Outcome outcome;

    /**
     * The objects of an operation that goes by messages; null for an operation in shared memory. They are given back
     * together with this object, when the operation has succeeded and its request is complete.
     */
    private KeptCall kept;

    private boolean isInUse;

    StartedCall(StartedCollectives owner, CommunicatorState communicator) {
        super(communicator);
        this.owner = owner;
    }

    /** The arguments of the call for an operation in shared memory; the caller sets them. */
    HostArguments arguments() {
        return arguments;
    }

    /**
     * Begins the call, which {@link #onEnd} ends.
     *
     * @param newSend released when the operation has succeeded, as {@code newReceive} is; both may be null or the same
     */
    void begin(String call, CollectiveBuffer newSend, CollectiveBuffer newReceive, UniformOutcomes.Outcome newOutcome) {
        send = newSend;
        receive = newReceive;
        if (outcome != newOutcome) { // a store of a reference also marks memory for the collector
            outcome = newOutcome;
        }
        isInUse = true;
        beginOfMembers(call);
    }

    /** Begins the operation by messages; it may have ended on return. */
    void begin(KeptCall newKept, CollectiveSchedule schedule) {
        kept = newKept;
        begin(newKept, schedule, this);
    }

    /**
     * Ends the call after an error has kept its operation from beginning at this rank. Does nothing if the call was not
     * begun, or has ended here by now.
     */
    void giveUp() {
        boolean isUnderWay = !isInUse || (outcome == null ? isDone() : outcome.hasEnded());
        if (!isUnderWay) {
            if (outcome != null) {
                outcome.end(ErrorClass.OTHER, null);
            }
            end(ErrorClass.OTHER);
        }
    }

    @Override
    public void onEnd(ErrorClass error, Throwable thrown) {
        if (outcome == null) {
            end(error, thrown);
            owner.revokeIfDivided(error);
            return;
        }
        progress(outcome);
        outcome.end(error, (common, elsewhere) -> {
            if (elsewhere != null && thrown == null) {
                end(elsewhere);
            } else {
                end(error, thrown);
            }
            owner.revokeIfDivided(common);
        });
    }

    private void end(ErrorClass error, Throwable thrown) {
        if (error == ErrorClass.SUCCESS) {
            release();
            succeed(null);
            return;
        }
        forget();
        if (error == ErrorClass.TRUNCATE && thrown instanceof CallError fault) {
            end(fault);
        } else if (thrown != null) {
            end(new ThrownByProgram(describe() + " on " + state(), thrown));
        } else {
            end(error);
        }
    }

    /**
     * Releases the buffers of this call. It forgets them first: another thread may use a buffer's object for the next
     * call as soon as that is released, so that none may be released twice.
     */
    private void release() {
        CollectiveBuffer sent = send;
        CollectiveBuffer received = receive;
        send = null;
        receive = null;
        StartedCollectives.release(sent, received);
    }

    /**
     * Drops the program's memory: neither the request of a failed operation, nor threads that made such calls, are to
     * keep it.
     */
    private void forget() {
        if (send != null) {
            send.forget();
        }
        if (receive != null) {
            receive.forget();
        }
        send = null;
        receive = null;
    }

    @Override
    protected void onReleased() {
        if (!isInUse) {
            throw new IllegalStateException(this + " is released twice");
        }
        isInUse = false;
        if (kept != null) {
            owner.giveBack(kept);
            kept = null;
        }
        owner.giveBack(this);
    }
}
