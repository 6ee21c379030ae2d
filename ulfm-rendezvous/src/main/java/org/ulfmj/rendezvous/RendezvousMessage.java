package org.ulfmj.rendezvous;

import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.transport.MemberRecord;

/**
 * What a rank and the launcher say to each other.
 *
 * <p>To gather: a rank says {@link Join} on every new connection; the core answers, or waits. When all slots are taken it
 * freezes a round and sends the {@link Table} to everyone, who {@link Confirm} it; once all have, {@link Final} makes it
 * the world. {@link Wait} and {@link Out} are the other answers to a Join.
 *
 * <p>Afterwards: the launcher pushes {@link Death}, {@link Departed}, {@link Fence} and {@link Abort}, again after every
 * Join of a running rank; ranks send {@link Goodbye} (answered by {@link GoodbyeHeard}), {@link Reached},
 * {@link Unreachable} and {@link Abort}, and {@link Put} and {@link Get} to the store, answered by {@link Stored} and
 * {@link Value}. The launcher may {@link AskWaits}, which is answered by {@link Waits} and lost with its connection.
 * Everything may be sent any number of times without harm.
 *
 * <p>A world is (round, epoch, table): the core counts rounds, admissions inside a round count epochs.
 */
public sealed interface RendezvousMessage {
    /**
     * Rank to core, first on every connection. From a process that the core knows it changes nothing and gets the present
     * answer again.
     *
     * @param round of the world this process runs in; 0 if it does not run
     * @param epoch of that world
     */
    record Join(MemberRecord member, int round, int epoch) implements RendezvousMessage {}

    /** Core to every member of a frozen round: this will be the world once all of you have confirmed it. */
    record Table(int round, List<MemberRecord> members) implements RendezvousMessage {
        public Table {
            members = List.copyOf(members);
        }
    }

    /** Member to core: its listener is bound and it has this round's table. */
    record Confirm(int round) implements RendezvousMessage {}

    /** Core to every member: all have confirmed, this is the world. */
    record Final(int round, int epoch, List<MemberRecord> members) implements RendezvousMessage {
        public Final {
            members = List.copyOf(members);
        }
    }

    /** Core to a process that it keeps for later. */
    record Wait(int round) implements RendezvousMessage {}

    /** Core to a process that is not, and will not be, part of the world. */
    record Out(OutReason reason, String text) implements RendezvousMessage {}

    /** Core to all members: the process has ended without a goodbye; proven. */
    record Death(ProcessId process, String reason) implements RendezvousMessage {}

    /** Core to all members: the process had said goodbye and has ended. */
    record Departed(ProcessId process) implements RendezvousMessage {}

    /** Core to one member: end yourself, the others go on without you. */
    record Fence(String reason) implements RendezvousMessage {}

    /** Rank to core: end the job with this code; core to all: the job ends. */
    record Abort(int code, String reason) implements RendezvousMessage {}

    /** Rank to core: Finalize is decided, and these slots are held for failed. */
    record Goodbye(SlotSet heldForFailed) implements RendezvousMessage {}

    /** Core to rank: the goodbye will be answered for, however the process ends. */
    record GoodbyeHeard() implements RendezvousMessage {}

    /** Rank to core: the point of this injection rule is reached, and the rank stands still there. */
    record Reached(int rule) implements RendezvousMessage {}

    /** Rank to core: this process, which counts as live, could not be reached for the detector's timeout. */
    record Unreachable(ProcessId process) implements RendezvousMessage {}

    /** Core to member: say whom you wait for. */
    record AskWaits(long request) implements RendezvousMessage {}

    /** Rank to core, the answer; what it means is between the rank and the launcher. */
    record Waits(long request, byte[] report) implements RendezvousMessage {
        /** Longest report. */
        public static final int MAX_BYTES = 64 << 10;

        public Waits {
            if (report.length > MAX_BYTES) {
                throw new WireFormatException(
                        "report of " + report.length + " bytes, at most " + MAX_BYTES + " are allowed");
            }
        }

        @Override
        public String toString() {
            return "Waits[" + request + ", " + report.length + " bytes]";
        }
    }

    /** Rank to store. */
    record Put(long request, String key, byte[] value) implements RendezvousMessage {
        @Override
        public String toString() {
            return "Put[" + request + ", " + key + ", " + value.length + " bytes]";
        }
    }

    /** Store to rank: the value is stored; or, with a text, why it is not. */
    record Stored(long request, String refusal) implements RendezvousMessage {}

    /** Rank to store; answered once there is a value. */
    record Get(long request, String key) implements RendezvousMessage {}

    /** Store to rank. */
    record Value(long request, byte[] value) implements RendezvousMessage {
        @Override
        public String toString() {
            return "Value[" + request + ", " + value.length + " bytes]";
        }
    }
}
