package org.ulfmj.runtime.recovery;

import org.ulfmj.agree.change.ChangeOutcome;
import org.ulfmj.agree.change.GrowTerms;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.runtime.error.CallSite;
import org.ulfmj.runtime.transfer.MessageContext;
import org.ulfmj.runtime.waits.NamedWait;
import org.ulfmj.runtime.waits.WaitNotes;

/**
 * A call of replace, which waits for the other members and for the processes that are to take the place of failed ones;
 * or a call of grow, which waits for the other members.
 */
public final class ChangeCall implements NamedWait {
    final MessageContext communicator;
    final Kind kind;
    /** The terms of this call of grow; null for the terms of the job, and for a call of replace. */
    final GrowTerms terms;

    private final CallSite site = CallSite.here();
    private final ControlPlane control;
    private ChangeOutcome outcome;

    /** @param kind {@link Kind#REPLACE} or {@link Kind#GROW} */
    public ChangeCall(ControlPlane control, MessageContext communicator, Kind kind) {
        this(control, communicator, kind, null);
    }

    /** A call of grow with the given terms. */
    public ChangeCall(ControlPlane control, MessageContext communicator, GrowTerms terms) {
        this(control, communicator, Kind.GROW, terms);
    }

    private ChangeCall(ControlPlane control, MessageContext communicator, Kind kind, GrowTerms terms) {
        this.control = control;
        this.communicator = communicator;
        this.kind = kind;
        this.terms = terms;
    }

    void end(ChangeOutcome how) {
        outcome = how;
    }

    @Override
    public boolean isDone() {
        return outcome != null;
    }

    /** Where the program made the call. */
    public CallSite site() {
        return site;
    }

    /** Returns how the call ended; null before it {@link #isDone}. */
    public ChangeOutcome outcome() {
        return outcome;
    }

    @Override
    public void explain(WaitNotes notes) {
        SlotSet empty = control.awaitedSlots();
        if (empty.isEmpty()) {
            long agreement = control.changeAgreement();
            notes.agreement(communicator, kind.callName(), agreement, control.awaited(communicator, agreement));
        } else {
            notes.replacements(communicator, empty);
        }
    }

    @Override
    public String toString() {
        return kind.callName() + " on " + communicator;
    }
}
