package org.ulfmj.runtime;

import org.ulfmj.agree.ReplaceOutcome;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.runtime.error.CallSite;
import org.ulfmj.runtime.waits.NamedWait;
import org.ulfmj.runtime.waits.WaitNotes;

/**
 * A call of replace, which waits for the other members and for the processes that are to take the place of the dead.
 */
final class ReplaceCall implements NamedWait {
    final CommunicatorState communicator;
    final CallSite site = CallSite.here();
    private final RankEngine engine;
    private ReplaceOutcome outcome;

    ReplaceCall(RankEngine engine, CommunicatorState communicator) {
        this.engine = engine;
        this.communicator = communicator;
    }

    void end(ReplaceOutcome how) {
        outcome = how;
    }

    @Override
    public boolean isDone() {
        return outcome != null;
    }

    /** How the call ended; null before it {@link #isDone}. */
    ReplaceOutcome outcome() {
        return outcome;
    }

    @Override
    public void explain(WaitNotes notes) {
        ControlPlane control = engine.control();
        SlotSet empty = control.awaitedSlots();
        if (empty.isEmpty()) {
            long agreement = control.replaceAgreement();
            notes.agreement(communicator, "replace", agreement, control.awaited(communicator, agreement));
        } else {
            notes.replacements(communicator, empty);
        }
    }

    @Override
    public String toString() {
        return "replace on " + communicator;
    }
}
