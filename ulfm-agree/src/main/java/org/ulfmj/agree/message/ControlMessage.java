package org.ulfmj.agree.message;

import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.detector.ReliableBroadcast;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/**
 * What survivor cores send each other, on its own lane that data never blocks. The sender of a message is known from
 * the lane. Messages of one sender arrive in order.
 */
public sealed interface ControlMessage {
    /** Calls the method of the handler that is for this message. */
    void tell(ProcessId from, Handler handler, Outbox<ProcessId, ControlMessage> out);

    /** What acts on messages; what it answers goes to the outbox. */
    interface Handler {
        void onDetector(ProcessId from, Detector message, Outbox<ProcessId, ControlMessage> out);

        void onRevoke(ProcessId from, Revoke message, Outbox<ProcessId, ControlMessage> out);

        void onAgreement(ProcessId from, OfAgreement message, Outbox<ProcessId, ControlMessage> out);

        void onGoodbye(ProcessId from, Goodbye message, Outbox<ProcessId, ControlMessage> out);

        void onWelcome(ProcessId from, Welcome message, Outbox<ProcessId, ControlMessage> out);

        void onFreedList(ProcessId from, FreedList message, Outbox<ProcessId, ControlMessage> out);
    }

    /** A message of the heartbeat ring, or an obituary. */
    record Detector(DetectorMessage message) implements ControlMessage {
        @Override
        public void tell(ProcessId from, Handler handler, Outbox<ProcessId, ControlMessage> out) {
            handler.onDetector(from, this, out);
        }
    }

    /**
     * The communicator is revoked. Spread at the first receipt, also by a rank that does not know the communicator yet
     * or any more: so it carries the members.
     *
     * @param epoch whose processes the members are: those that have come since are not told and pass nothing on
     */
    record Revoke(long communicator, long epoch, SlotRuns members, int originSlot)
            implements ControlMessage, ReliableBroadcast.Event {
        @Override
        public Object key() {
            return communicator;
        }

        @Override
        public SlotRuns membersIn(Membership current) {
            return members;
        }

        @Override
        public void tell(ProcessId from, Handler handler, Outbox<ProcessId, ControlMessage> out) {
            handler.onRevoke(from, this, out);
        }
    }

    /** What is said about one agreement of one communicator. */
    sealed interface OfAgreement extends ControlMessage {
        long communicator();

        long sequence();

        @Override
        default void tell(ProcessId from, Handler handler, Outbox<ProcessId, ControlMessage> out) {
            handler.onAgreement(from, this, out);
        }
    }

    /**
     * Child to parent: the combined value of a subtree.
     *
     * @param baseView names the base of the sender's tree
     * @param round waves of this agreement before this one
     * @param fenced slots that every process in the subtree had marked failed when it contributed
     */
    record Up(long communicator, long sequence, long baseView, int round, AgreementValue value, SlotSet fenced)
            implements OfAgreement {}

    /** Any process that decided, to every process that may wait for it or has asked. */
    record Down(long communicator, long sequence, Decision decision) implements OfAgreement {}

    /** New root to its children: tell me the decision if you have it, else send me your value. */
    record ResultRequest(long communicator, long sequence) implements OfAgreement {}

    /**
     * Contribute once more: a process in the value had not marked everyone that the value lists.
     *
     * @param failed what the sender has marked failed
     */
    record NextRound(long communicator, long sequence, int round, SlotSet failed) implements OfAgreement {}

    /**
     * A member that has returned from replace(), or was itself welcomed, to each newcomer of that world among its
     * neighbours on the overlay: you are a member. The first that a newcomer hears of anything but heartbeats. Sticky
     * in its epoch.
     *
     * @param newcomers slots whose holders are new in this epoch
     * @param failed whom the sender has marked failed, without those whose slots others have in this epoch: that these
     *     are over follows from the admission
     */
    record Welcome(Admission admission, SlotSet newcomers, SortedSet<ProcessId> failed) implements ControlMessage {
        private static final int HEAD_BYTES = 1 + 2 * Integer.BYTES;
        private static final int PROCESS_BYTES = 2 * Integer.BYTES;

        /**
         * Says what is new to a newcomer, and no more of it than fits: all members that have failed, no matter what may
         * come; of others, which only launchers and their own words could bring up, as many as there is room for.
         */
        public static Welcome of(Admission admission, SlotSet newcomers, SortedSet<ProcessId> known) {
            Membership members = admission.membership();
            SortedSet<ProcessId> told = new TreeSet<>();
            int room = (ControlCodec.MAX_BYTES - lengthBytes(admission.members(), newcomers)) / PROCESS_BYTES;
            for (ProcessId process : known) {
                if (members.contains(process)) {
                    told.add(process);
                } else if (process.incarnation() >= members.incarnation(process.slot()) && room > 0) {
                    told.add(process);
                    room--;
                }
            }
            return new Welcome(admission, newcomers, told);
        }

        /** How long it is at most if all members fail meanwhile, and it says nothing of others. */
        public static int lengthBytes(SortedMap<Integer, Contact> members, SlotSet newcomers) {
            return HEAD_BYTES
                    + Admission.lengthBytes(members)
                    + newcomers.size() * Integer.BYTES
                    + members.size() * PROCESS_BYTES;
        }

        @Override
        public void tell(ProcessId from, Handler handler, Outbox<ProcessId, ControlMessage> out) {
            handler.onWelcome(from, this, out);
        }
    }

    /**
     * A rank that has freed many communicators to all members of the epoch: which of these do you keep?
     *
     * @param initiator slot of the process that holds them freed
     * @param number of the list among those of this initiator in this epoch, from 1 on
     */
    record FreedList(long epoch, int initiator, long number, List<Freed> named)
            implements ControlMessage, ReliableBroadcast.Event {
        private record Key(int initiator, long number) {}

        @Override
        public Object key() {
            return new Key(initiator, number);
        }

        @Override
        public SlotRuns membersIn(Membership current) {
            return current.slots();
        }

        @Override
        public int originSlot() {
            return initiator;
        }

        @Override
        public void tell(ProcessId from, Handler handler, Outbox<ProcessId, ControlMessage> out) {
            handler.onFreedList(from, this, out);
        }
    }

    /**
     * Leaver to its neighbours and to every process it has talked to: I have finalized, and this is what was decided.
     */
    record Goodbye(long communicator, long sequence, Decision decision) implements OfAgreement {
        @Override
        public void tell(ProcessId from, Handler handler, Outbox<ProcessId, ControlMessage> out) {
            handler.onGoodbye(from, this, out);
        }
    }
}
