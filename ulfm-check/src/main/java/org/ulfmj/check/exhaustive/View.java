package org.ulfmj.check.exhaustive;

import java.util.SortedSet;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;

/**
 * One state of one rank, as the search sees it.
 *
 * @param facts the facts that the properties look at
 * @param gone slots that failed or departed as far as the rank knows
 * @param heardOf slots whose obituary has come, and whose messages are still to be read
 * @param revocations communicators whose revocation the rank was told of or has begun
 * @param leaving whether Finalize is decided at the rank
 * @param choices codes of the events that the rank may cause by itself
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
     * Whether it is certain that a message will do nothing at the rank, no matter when it arrives.
     *
     * @param senderEnded whether the sender has ended, so that an answer would reach no process
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
            // A communicator that a program makes can be freed and forgotten; a revocation that arrives after that
            // could bring it back, so it does count.
            return revocations.contains(revoke.communicator()) && !ExhaustiveRank.isMade(revoke.communicator());
        }
        if (message instanceof ControlMessage.OfAgreement about && !(about instanceof ControlMessage.Goodbye)) {
            boolean isDecided = facts.decisions().containsKey(new Facts.Call(about.communicator(), about.sequence()));
            return isDecided && (senderEnded || about instanceof ControlMessage.Down);
        }
        return false;
    }
}
