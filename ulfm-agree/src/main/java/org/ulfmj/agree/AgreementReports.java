package org.ulfmj.agree;

import org.ulfmj.agree.consensus.Agreements;
import org.ulfmj.agree.consensus.EarlyReturningAgreement;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.protocol.SlotSet;

/** Reports how far the agreements of a rank are, for reports of waits and for checks. Changes nothing. */
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

    /**
     * The slots of the members that this rank waits for in an open agreement: the one that is to send the decision, or
     * those whose values are missing. Empty if the agreement is not open here, or this rank has not entered it.
     */
    public SlotSet awaited(long communicator, long sequence) {
        EarlyReturningAgreement open = communicators.get(communicator).waitedFor(sequence);
        if (open == null) {
            return SlotSet.EMPTY;
        }
        return open.waitingFor() >= 0 ? SlotSet.of(open.waitingFor()) : open.missing();
    }

    /**
     * The slot of the member to which this rank has sent its value, and from which it waits for the decision. −1 if
     * this rank waits for values of others, or for nothing.
     */
    public int waitsForDecisionOf(long communicator, long sequence) {
        EarlyReturningAgreement open = communicators.get(communicator).waitedFor(sequence);
        return open == null ? -1 : open.waitingFor();
    }

    /**
     * Whether this rank is to send a member the decision of an open agreement, because the member's value or its
     * request has come here.
     */
    public boolean owesDecision(long communicator, long sequence, int slot) {
        Agreements known = communicators.known(communicator);
        EarlyReturningAgreement open = known == null ? null : known.waitedFor(sequence);
        return open != null && open.owes(slot);
    }

    /**
     * A text that says how far an open agreement is, for a dump of all waits; null if the agreement is not open here.
     */
    public String describe(long communicator, long sequence) {
        Agreements known = communicators.known(communicator);
        EarlyReturningAgreement open = known == null ? null : known.waitedFor(sequence);
        return open == null ? null : open.toString();
    }

    /**
     * The decision of an agreement that is kept for processes that may ask for it; null if none is kept. The second
     * agreement of agree(UNIFORM) has another number than the first.
     */
    public Decision storedDecision(long communicator, long sequence) {
        Agreements known = communicators.known(communicator);
        return known == null ? null : known.decision(sequence);
    }
}
