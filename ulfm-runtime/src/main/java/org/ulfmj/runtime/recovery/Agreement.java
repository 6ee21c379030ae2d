package org.ulfmj.runtime.recovery;

import org.ulfmj.agree.message.Decision;
import org.ulfmj.runtime.transfer.MessageContext;
import org.ulfmj.runtime.waits.NamedWait;
import org.ulfmj.runtime.waits.WaitNotes;

/** This rank's wait for the decision of an agreement. */
public final class Agreement implements NamedWait {
    private final ControlPlane control;
    private final MessageContext communicator;
    private final String call;
    private final long sequence;

    public Agreement(ControlPlane control, MessageContext communicator, String call, long sequence) {
        this.control = control;
        this.communicator = communicator;
        this.call = call;
        this.sequence = sequence;
    }

    long sequence() {
        return sequence;
    }

    @Override
    public boolean isDone() {
        return control.decisions().has(communicator.id(), sequence);
    }

    @Override
    public void explain(WaitNotes notes) {
        notes.agreement(communicator, call, sequence, control.awaited(communicator, sequence));
    }

    public Decision takeDecision() {
        return control.decisions().take(communicator.id(), sequence);
    }

    @Override
    public String toString() {
        return call + " on " + communicator + ", agreement " + sequence + " there: "
                + control.describe(communicator, sequence);
    }
}
