package org.ulfmj.rendezvous;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;
import org.ulfmj.transport.MemberRecord;

/** {@link RendezvousMessage}s as bytes: one byte of type, then the fields in the order of the record. */
public final class RendezvousCodec {
    /** Longest message: the table of the largest world, or the largest value. */
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
    static final int PUT = 15;
    static final int STORED = 16;
    static final int GET = 17;
    static final int VALUE = 18;
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

    private RendezvousCodec() {}

    public static byte[] encode(RendezvousMessage message) {
        WireWriter out = new WireWriter(MAX_MESSAGE_BYTES);
        message.tell(new RendezvousEncoder(out));
        return out.toByteArray();
    }

    /** Throws {@link WireFormatException} for anything that {@link #encode} does not write. */
    static RendezvousMessage decode(byte[] bytes) {
        WireReader in = new WireReader(bytes);
        int type = in.getByte();
        RendezvousMessage message = type <= OUT
                ? decodeGathering(type, in)
                : type < PENDING
                        ? decodeRunning(type, in)
                        : type < HEARD ? decodeReplacing(type, in) : decodeJudging(type, in);
        in.requireEnd();
        return message;
    }

    private static RendezvousMessage decodeGathering(int type, WireReader in) {
        switch (type) {
            case JOIN:
                return new RendezvousMessage.Join(MemberRecord.readFrom(in), in.getInt(), in.getInt());
            case TABLE:
                return new RendezvousMessage.Table(in.getInt(), getMembers(in));
            case CONFIRM:
                return new RendezvousMessage.Confirm(in.getInt());
            case FINAL:
                return new RendezvousMessage.Final(in.getInt(), in.getInt(), getMembers(in));
            case WAIT:
                return new RendezvousMessage.Wait(in.getInt(), in.getInt(), getMembers(in));
            case OUT:
                return new RendezvousMessage.Out(getReason(in), in.getText());
            default:
                throw unknown(type);
        }
    }

    private static RendezvousMessage decodeRunning(int type, WireReader in) {
        switch (type) {
            case DEATH:
                return new RendezvousMessage.Death(in.getProcess(), in.getText());
            case DEPARTED:
                return new RendezvousMessage.Departed(in.getProcess());
            case FENCE:
                return new RendezvousMessage.Fence(in.getText());
            case ABORT:
                return new RendezvousMessage.Abort(in.getInt(), in.getText());
            case GOODBYE:
                return new RendezvousMessage.Goodbye(getSlots(in));
            case GOODBYE_HEARD:
                return new RendezvousMessage.GoodbyeHeard();
            case REACHED:
                return new RendezvousMessage.Reached(in.getInt());
            case SUSPECT:
                return new RendezvousMessage.Suspect(in.getProcess());
            case PUT:
                return new RendezvousMessage.Put(in.getLong(), in.getText(), in.getBlob());
            case STORED:
                return new RendezvousMessage.Stored(in.getLong(), in.getText());
            case GET:
                return new RendezvousMessage.Get(in.getLong(), in.getText());
            case VALUE:
                return new RendezvousMessage.Value(in.getLong(), in.getBlob());
            case ASK_WAITS:
                return new RendezvousMessage.AskWaits(in.getLong());
            case WAITS:
                return new RendezvousMessage.Waits(in.getLong(), in.getBlob());
            default:
                throw unknown(type);
        }
    }

    private static RendezvousMessage decodeReplacing(int type, WireReader in) {
        switch (type) {
            case PENDING:
                return new RendezvousMessage.Pending(MemberRecord.readFrom(in));
            case NO_MORE:
                return new RendezvousMessage.NoMore(getSlot(in), in.getText());
            case COMMITTED:
                return getCommitted(in);
            case RECALL:
                return new RendezvousMessage.Recall(in.getInt(), in.getInt());
            case STILL_WAITING:
                return new RendezvousMessage.StillWaiting(in.getInt());
            case SPARE:
                return new RendezvousMessage.Spare(in.getInt());
            case ASSIGN:
                return new RendezvousMessage.Assign(in.getProcess());
            default:
                throw unknown(type);
        }
    }

    private static RendezvousMessage decodeJudging(int type, WireReader in) {
        switch (type) {
            case HEARD:
                return new RendezvousMessage.Heard(in.getProcess());
            case ARE_YOU_THERE:
                return new RendezvousMessage.AreYouThere(in.getLong(), getProcesses(in));
            case HERE:
                return new RendezvousMessage.Here(in.getLong());
            case DO_YOU_HEAR:
                return new RendezvousMessage.DoYouHear(in.getLong(), in.getProcess());
            case STILL_NOTHING:
                return new RendezvousMessage.StillNothing(in.getLong(), in.getProcess());
            case SILENCED:
                return new RendezvousMessage.Silenced(in.getProcess(), in.getText());
            default:
                throw unknown(type);
        }
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

    private static WireFormatException unknown(int type) {
        return new WireFormatException("no message has type " + type);
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

    private static List<ProcessId> getProcesses(WireReader in) {
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
}
