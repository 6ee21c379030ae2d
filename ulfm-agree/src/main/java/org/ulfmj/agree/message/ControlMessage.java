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
 * Messages between survivor cores. They have a separate lane, which data never blocks. The sender of a message is known
 * from the lane. Messages of one sender arrive in order.
 */
public sealed interface ControlMessage {
    /** Calls the method of the handler that is for this message. */
    void tell(ProcessId from, Handler handler, Outbox<ProcessId, ControlMessage> out);

    /** Acts on messages. Its answers go to the outbox. */
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
     * The communicator is revoked. Each rank spreads the message at the first receipt, also if it has not made the
     * communicator yet or has freed it: so the message carries the members.
     *
     * @param epoch the epoch of the members; processes that became members later are not told and pass nothing on
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

    /** A message about one agreement of one communicator. */
    sealed interface OfAgreement extends ControlMessage {
        long communicator();

        long sequence();

        /** The slots that this message lists as failed, in the epoch of its communicator. */
        SlotSet failed();

        @Override
        default void tell(ProcessId from, Handler handler, Outbox<ProcessId, ControlMessage> out) {
            handler.onAgreement(from, this, out);
        }
    }

    /**
     * Child to parent: the combined value of a subtree.
     *
     * @param baseView names the base of the sender's tree
     * @param round how many rounds of this agreement came before this one
     * @param fenced slots that every process in the subtree had marked failed when it contributed
     */
    record Up(long communicator, long sequence, long baseView, int round, AgreementValue value, SlotSet fenced)
            implements OfAgreement {
        @Override
        public SlotSet failed() {
            return value.failed();
        }
    }

    /** A process that has decided sends the decision to every process that may wait for it or has asked. */
    record Down(long communicator, long sequence, Decision decision) implements OfAgreement {
        @Override
        public SlotSet failed() {
            return decision.failed();
        }
    }

    /**
     * A process asks a child for the decision, or for the child's value if the child has no decision: as a new root, or
     * when another process that it had asked has failed.
     */
    record ResultRequest(long communicator, long sequence) implements OfAgreement {
        @Override
        public SlotSet failed() {
            return SlotSet.EMPTY;
        }
    }

    /**
     * A process asks the members below it to contribute once more: some contributor had not marked every process that
     * the value lists as failed.
     *
     * @param failed the slots that the sender has marked failed
     */
    record NextRound(long communicator, long sequence, int round, SlotSet failed) implements OfAgreement {}

    /**
     * Tells a newcomer that it is a member. The sender has entered the epoch of the new world by its call of replace()
     * or grow(), or was itself welcomed. It sends this message to each newcomer of that world that is its neighbour on
     * the overlay, also to one that becomes its neighbour before an agreement of that world is decided. A newcomer
     * holds almost all other messages until the welcome comes.
     *
     * @param newcomers slots whose processes are new in this epoch
     * @param failed the processes that the sender has marked failed, as many as there is room for. A process whose slot
     *     a later one holds in this epoch is left out: the admission shows already that it has failed
     */
    record Welcome(Admission admission, SlotSet newcomers, SortedSet<ProcessId> failed) implements ControlMessage {
        private static final int HEAD_BYTES = 1 + 2 * Integer.BYTES;
        private static final int PROCESS_BYTES = 2 * Integer.BYTES;

        /**
         * Returns a welcome that names the failed processes that a newcomer cannot know: all failed members, and as
         * many of the other failed processes as there is room for. A process whose slot a later one holds is left out,
         * since the admission shows that.
         */
        public static Welcome of(Admission admission, SlotSet newcomers, SortedSet<ProcessId> known) {
            Membership members = admission.membership();
            SortedSet<ProcessId> told = new TreeSet<>();
            int room = (ControlCodec.MAX_BYTES - lengthBytes(admission.members(), admission.ancestry(), newcomers))
                    / PROCESS_BYTES;
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

        /** The length in bytes of a welcome that names all members as failed, and no other process. */
        public static int lengthBytes(SortedMap<Integer, Contact> members, Ancestry ancestry, SlotSet newcomers) {
            return HEAD_BYTES
                    + Admission.lengthBytes(members, ancestry)
                    + newcomers.size() * Integer.BYTES
                    + members.size() * PROCESS_BYTES;
        }

        /** How many bytes longer a welcome is with one more newcomer. */
        public static int lengthBytes(Contact newcomer) {
            return newcomer.lengthBytes() + Integer.BYTES + PROCESS_BYTES;
        }

        @Override
        public void tell(ProcessId from, Handler handler, Outbox<ProcessId, ControlMessage> out) {
            handler.onWelcome(from, this, out);
        }
    }

    /**
     * Asks all members of the epoch which of the named communicators they keep. A rank that gets the list for the first
     * time passes it on.
     *
     * @param initiator slot of the process that has freed the named communicators, or could not build them
     * @param number number of the list among the lists of this initiator in this epoch, from 1
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
     * A leaver tells its neighbours, and every process that it has talked to, that it has finalized and what was
     * decided.
     */
    record Goodbye(long communicator, long sequence, Decision decision) implements OfAgreement {
        @Override
        public SlotSet failed() {
            return decision.failed();
        }

        @Override
        public void tell(ProcessId from, Handler handler, Outbox<ProcessId, ControlMessage> out) {
            handler.onGoodbye(from, this, out);
        }
    }
}
