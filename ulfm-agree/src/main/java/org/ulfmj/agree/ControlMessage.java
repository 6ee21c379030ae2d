package org.ulfmj.agree;

import java.util.SortedSet;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.detector.ReliableBroadcast;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/**
 * What survivor cores send each other, on a lane of its own that data never blocks. Who sent a message is known from the
 * lane. Messages of one sender arrive in order.
 */
public sealed interface ControlMessage {
    /** Of the heartbeat ring, or an obituary. */
    record Detector(DetectorMessage message) implements ControlMessage {}

    /**
     * The communicator is revoked. Spread at the first receipt, also by a rank that does not know the communicator yet or
     * any more: so it carries the members.
     */
    record Revoke(long communicator, SlotRuns members, int originSlot)
            implements ControlMessage, ReliableBroadcast.Event {
        @Override
        public Object key() {
            return communicator;
        }

        @Override
        public SlotRuns membersIn(Membership current) {
            return members;
        }
    }

    /** What is said about one agreement of one communicator. */
    sealed interface OfAgreement extends ControlMessage {
        long communicator();

        long sequence();
    }

    /**
     * Child to parent: the combined value of a subtree.
     *
     * @param baseView names the base of the sender's tree
     * @param round waves of this agreement before this one
     * @param fenced slots that everybody in the subtree had marked failed when it contributed
     */
    record Up(long communicator, long sequence, long baseView, int round, AgreementValue value, SlotSet fenced)
            implements OfAgreement {}

    /** Whoever decided, to everybody who may wait for it or has asked. */
    record Down(long communicator, long sequence, Decision decision) implements OfAgreement {}

    /** New root to its children: tell me the decision if you have it, else send me your value. */
    record ResultRequest(long communicator, long sequence) implements OfAgreement {}

    /**
     * Contribute once more: somebody in the value had not marked everyone that the value lists.
     *
     * @param failed what the sender holds for failed
     */
    record NextRound(long communicator, long sequence, int round, SlotSet failed) implements OfAgreement {}

    /**
     * Who has returned from replace(), or was itself welcomed, to each newcomer of that world among its neighbours on the
     * overlay: you are a member. The first that a newcomer hears of anything but heartbeats. Sticky in its epoch.
     *
     * @param newcomers slots whose holders are new in this epoch
     * @param failed all whom the sender holds for failed
     */
    record Welcome(Admission admission, SlotSet newcomers, SortedSet<ProcessId> failed) implements ControlMessage {
        /** What is left of a message for the admission: the rest is a few bytes for each newcomer and each failure. */
        static final int MAX_ADMISSION_BYTES = ControlCodec.MAX_BYTES * 3 / 4;
    }

    /** Leaver to its neighbours and to everybody it has talked to: I have finalized, and this is what was decided. */
    record Goodbye(long communicator, long sequence, Decision decision) implements OfAgreement {}
}
