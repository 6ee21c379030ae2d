package org.ulfmj.check.exhaustive;

import java.util.SortedSet;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;

/**
 * One state of one rank, as the search sees it.
 *
 * @param facts what the properties look at
 * @param gone slots that failed or departed as far as it knows
 * @param heardOf slots whose obituary has come, and which are being read out
 * @param revocations communicators that it has heard or said to be revoked
 * @param leaving whether Finalize is decided here
 * @param choices codes of what it may do by itself
 */
record View(
        ProcessId id,
        Facts facts,
        SlotSet gone,
        SlotSet heardOf,
        SortedSet<Long> revocations,
        boolean leaving,
        int[] choices) {

    /**
     * Whether a message does nothing here, now or at any later time: so it makes no difference when it arrives.
     *
     * @param senderEnded whether an answer to it would reach no process
     */
    boolean isSettled(int from, boolean senderEnded, ControlMessage message) {
        if (!facts.isRunning()) {
            return true;
        }
        boolean isFenced = facts.failed().contains(from);
        if (message instanceof ControlMessage.Detector detector
                && detector.message() instanceof DetectorMessage.Obituary obituary) {
            ProcessId subject = obituary.failed();
            if (leaving) {
                return true;
            }
            return !subject.equals(id)
                    && (isFenced
                            || heardOf.contains(subject.slot())
                            || facts.failed().contains(subject.slot()));
        }
        if (isFenced) {
            return true; // R0, of which an obituary of the receiver is the only exception
        }
        if (message instanceof ControlMessage.Revoke revoke) {
            // One that may be forgotten could come back by a message that comes after that.
            return revocations.contains(revoke.communicator()) && !ExhaustiveRank.isMade(revoke.communicator());
        }
        if (message instanceof ControlMessage.OfAgreement about && !(about instanceof ControlMessage.Goodbye)) {
            boolean isDecided = facts.decisions().containsKey(new Facts.Call(about.communicator(), about.sequence()));
            return isDecided && (senderEnded || about instanceof ControlMessage.Down);
        }
        return false;
    }
}
