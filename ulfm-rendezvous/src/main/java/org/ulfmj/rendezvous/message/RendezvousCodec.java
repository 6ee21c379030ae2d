package org.ulfmj.rendezvous.message;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.rendezvous.store.StoreLimits;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.rendezvous.store.StoreResult;
import org.ulfmj.transport.MemberRecord;

/** {@link RendezvousMessage}s as bytes: one byte of type, then the fields in the order of the record. */
public final class RendezvousCodec {
    /** The largest number of bytes that a message may have. */
    static final int MAX_MESSAGE_BYTES = 4 << 20;

    /** The length of the shortest record of a member. */
    private static final int LEAST_MEMBER_BYTES = 56;

    private static final int PROCESS_BYTES = 8;

    static final int JOIN = 1;
    static final int TABLE = 2;
    static final int CONFIRM = 3;
    static final int FINAL = 4;
    static final int WAIT = 5;
    static final int OUT = 6;
    static final int DEATH = 7;
    static final int DEPARTED = 8;
    static final int FENCE = 9;
    static final int ABORT = 10;
    static final int GOODBYE = 11;
    static final int GOODBYE_HEARD = 12;
    static final int REACHED = 13;
    static final int SUSPECT = 14;
    static final int STORE_ASK = 15;
    static final int STORE_ANSWER = 16;
    static final int STORE_EXPIRED = 17;
    static final int ASK_WAITS = 19;
    static final int WAITS = 20;
    static final int PENDING = 21;
    static final int NO_MORE = 22;
    static final int COMMITTED = 23;
    static final int RECALL = 24;
    static final int STILL_WAITING = 25;
    static final int SPARE = 26;
    static final int ASSIGN = 27;
    static final int HEARD = 28;
    static final int ARE_YOU_THERE = 29;
    static final int HERE = 30;
    static final int DO_YOU_HEAR = 31;
    static final int STILL_NOTHING = 32;
    static final int SILENCED = 33;
    static final int SIGNAL = 34;
    static final int LEAVE = 35;
    static final int LEAVE_HEARD = 36;
    static final int KEEP_ALIVE = 37;
    static final int KEPT = 38;
    static final int JOIN_ANYWHERE = 41;
    static final int WAITING = 42;
    static final int DEATH_BY_NONCE = 43;
    static final int DEPARTED_BY_NONCE = 44;
    static final int SILENCED_BY_NONCE = 45;

    private RendezvousCodec() {}

    public static byte[] encode(RendezvousMessage message) {
        WireWriter out = new WireWriter(MAX_MESSAGE_BYTES);
        message.writeTo(out);
        return out.toByteArray();
    }

    /** Throws {@link WireFormatException} for bytes that are no message, or more than one. */
    public static RendezvousMessage decode(byte[] bytes) {
        WireReader in = new WireReader(bytes);
        int type = in.getByte();
        RendezvousMessage message = decode(type, in);
        in.requireEnd();
        return message;
    }

    private static RendezvousMessage decode(int type, WireReader in) {
        return switch (type) {
            case JOIN -> new RendezvousMessage.Join(MemberRecord.readFrom(in), in.getInt(), in.getInt());
            case JOIN_ANYWHERE -> new RendezvousMessage.JoinAnywhere(Joiner.readFrom(in), in.getInt(), in.getInt());
            case WAITING -> new RendezvousMessage.Waiting(Joiner.readFrom(in));
            case TABLE -> new RendezvousMessage.Table(in.getInt(), getMembers(in));
            case CONFIRM -> new RendezvousMessage.Confirm(in.getInt());
            case FINAL -> new RendezvousMessage.Final(in.getInt(), in.getInt(), getMembers(in));
            case WAIT -> new RendezvousMessage.Wait(in.getInt(), in.getInt(), getMembers(in));
            case OUT -> new RendezvousMessage.Out(getReason(in), in.getText());
            case DEATH -> new RendezvousMessage.Death(in.getProcess(), in.getText());
            case DEATH_BY_NONCE -> new RendezvousMessage.Death(in.getProcess(), getNonce(in), in.getText());
            case DEPARTED -> new RendezvousMessage.Departed(in.getProcess());
            case DEPARTED_BY_NONCE -> new RendezvousMessage.Departed(in.getProcess(), getNonce(in));
            case FENCE -> new RendezvousMessage.Fence(in.getText());
            case ABORT -> new RendezvousMessage.Abort(in.getInt(), in.getText());
            case GOODBYE -> new RendezvousMessage.Goodbye(getSlots(in));
            case GOODBYE_HEARD -> new RendezvousMessage.GoodbyeHeard();
            case REACHED -> new RendezvousMessage.Reached(in.getInt());
            case SUSPECT -> new RendezvousMessage.Suspect(in.getProcess());
            case STORE_ASK ->
                new RendezvousMessage.StoreAsk(in.getLong(), in.getLong(), getOpen(in), StoreRequest.readFrom(in));
            case STORE_ANSWER -> new RendezvousMessage.StoreAnswer(in.getLong(), StoreResult.readFrom(in));
            case STORE_EXPIRED -> new RendezvousMessage.StoreExpired(in.getLong(), in.getText());
            case ASK_WAITS -> new RendezvousMessage.AskWaits(in.getLong());
            case WAITS -> new RendezvousMessage.Waits(in.getLong(), in.getBlob());
            case PENDING -> new RendezvousMessage.Pending(MemberRecord.readFrom(in));
            case NO_MORE -> new RendezvousMessage.NoMore(getSlot(in), in.getText());
            case COMMITTED -> getCommitted(in);
            case RECALL -> new RendezvousMessage.Recall(in.getInt(), in.getInt());
            case STILL_WAITING -> new RendezvousMessage.StillWaiting(in.getInt());
            case SPARE -> new RendezvousMessage.Spare(in.getInt());
            case ASSIGN -> new RendezvousMessage.Assign(in.getProcess());
            case HEARD -> new RendezvousMessage.Heard(in.getProcess());
            case ARE_YOU_THERE -> new RendezvousMessage.AreYouThere(in.getLong(), getProcesses(in));
            case HERE -> new RendezvousMessage.Here(in.getLong());
            case DO_YOU_HEAR -> new RendezvousMessage.DoYouHear(in.getLong(), in.getProcess());
            case STILL_NOTHING -> new RendezvousMessage.StillNothing(in.getLong(), in.getProcess());
            case SILENCED -> new RendezvousMessage.Silenced(in.getProcess(), in.getText());
            case SILENCED_BY_NONCE -> new RendezvousMessage.Silenced(in.getProcess(), getNonce(in), in.getText());
            case LEAVE -> new RendezvousMessage.Leave(in.getText());
            case LEAVE_HEARD -> new RendezvousMessage.LeaveHeard();
            case SIGNAL -> new RendezvousMessage.Signal(in.getLong(), in.getText());
            case KEEP_ALIVE -> new RendezvousMessage.KeepAlive(in.getInt());
            case KEPT -> new RendezvousMessage.Kept(in.getInt());
            default -> throw new WireFormatException("no message has type " + type);
        };
    }

    private static long getNonce(WireReader in) {
        long nonce = in.getLong();
        if (nonce == 0) {
            throw new WireFormatException("an end by nonce without a nonce");
        }
        return nonce;
    }

    private static int getSlot(WireReader in) {
        int slot = in.getInt();
        if (slot < 0) {
            throw new WireFormatException("slot " + slot + " is negative");
        }
        return slot;
    }

    private static RendezvousMessage.Committed getCommitted(WireReader in) {
        int round = in.getInt();
        int epoch = in.getInt();
        long digest = in.getLong();
        return new RendezvousMessage.Committed(round, epoch, getMembers(in), digest);
    }

    private static OutReason getReason(WireReader in) {
        int number = in.getByte();
        OutReason reason = OutReason.ofWire(number);
        if (reason == null) {
            throw new WireFormatException("no reason has number " + number);
        }
        return reason;
    }

    private static SlotSet getSlots(WireReader in) {
        SlotSet slots = SlotSet.readFrom(in);
        if (slots.isAll()) {
            throw new WireFormatException("a set of failed slots cannot be all slots");
        }
        return slots;
    }

    private static List<Long> getOpen(WireReader in) {
        int count = in.getInt();
        in.requireCount(count, Long.BYTES, "requests");
        if (count > StoreLimits.MAX_OPEN) {
            throw new WireFormatException(
                    count + " requests are open, at most " + StoreLimits.MAX_OPEN + " are possible");
        }
        List<Long> open = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            open.add(in.getLong());
        }
        return open;
    }

    public static List<ProcessId> getProcesses(WireReader in) {
        int count = in.getInt();
        in.requireCount(count, PROCESS_BYTES, "processes");
        List<ProcessId> processes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            processes.add(in.getProcess());
        }
        return processes;
    }

    private static List<MemberRecord> getMembers(WireReader in) {
        int count = in.getInt();
        in.requireCount(count, LEAST_MEMBER_BYTES, "members");
        List<MemberRecord> members = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            members.add(MemberRecord.readFrom(in));
        }
        return members;
    }

    static void putNumbers(WireWriter out, List<Long> numbers) {
        out.putInt(numbers.size());
        for (Long number : numbers) {
            out.putLong(number);
        }
    }

    public static void putProcesses(WireWriter out, List<ProcessId> processes) {
        out.putInt(processes.size());
        for (ProcessId process : processes) {
            out.putProcess(process);
        }
    }

    static void putMembers(WireWriter out, List<MemberRecord> members) {
        out.putInt(members.size());
        for (MemberRecord member : members) {
            member.writeTo(out);
        }
    }
}
