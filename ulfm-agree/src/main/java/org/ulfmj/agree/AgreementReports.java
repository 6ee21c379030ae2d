package org.ulfmj.agree;

import org.ulfmj.agree.consensus.Agreements;
import org.ulfmj.agree.consensus.EarlyReturningAgreement;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.protocol.SlotSet;

/** Tells how far a rank's agreements are: for reports of waits, and for checks. Changes nothing. */
public final class AgreementReports {
    private final Communicators communicators;

    AgreementReports(Communicators communicators) {
        this.communicators = communicators;
    }

    /** Number of the last agreement that this rank entered on a communicator; 0 before the first. */
    public long last(long communicator) {
        return communicators.get(communicator).lastSequence();
    }

    /** How many decisions of a communicator are kept for processes that may ask; one in the steady state. */
    public int storedDecisions(long communicator) {
        return communicators.get(communicator).storedDecisions();
    }

    /** Slots whose value, or whose decision, an agreement waits for here; empty if it is not open. */
    public SlotSet awaited(long communicator, long sequence) {
        EarlyReturningAgreement open = communicators.get(communicator).waitedFor(sequence);
        if (open == null) {
            return SlotSet.EMPTY;
        }
        return open.waitingFor() >= 0 ? SlotSet.of(open.waitingFor()) : open.missing();
    }

    /**
     * The slot that has this rank's value, and whose decision it waits for; −1 if it waits for values, or for nothing.
     */
    public int waitsForDecisionOf(long communicator, long sequence) {
        EarlyReturningAgreement open = communicators.get(communicator).waitedFor(sequence);
        return open == null ? -1 : open.waitingFor();
    }

    /**
     * Whether this rank will send a member the decision of an open agreement, because the member's value or question
     * came here.
     */
    public boolean owesDecision(long communicator, long sequence, int slot) {
        Agreements known = communicators.known(communicator);
        EarlyReturningAgreement open = known == null ? null : known.waitedFor(sequence);
        return open != null && open.owes(slot);
    }

    /** How far an open agreement is, for a dump of all waits; null if it is not open here. */
    public String describe(long communicator, long sequence) {
        Agreements known = communicators.known(communicator);
        EarlyReturningAgreement open = known == null ? null : known.waitedFor(sequence);
        return open == null ? null : open.toString();
    }

    /**
     * A decision that is kept for processes that may ask, or null. The second agreement of agree(UNIFORM) has the next
     * number.
     */
    public Decision storedDecision(long communicator, long sequence) {
        Agreements known = communicators.known(communicator);
        return known == null ? null : known.decision(sequence);
    }
}
