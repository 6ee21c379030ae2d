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

    private static final int JOIN = 1;
    private static final int TABLE = 2;
    private static final int CONFIRM = 3;
    private static final int FINAL = 4;
    private static final int WAIT = 5;
    private static final int OUT = 6;
    private static final int DEATH = 7;
    private static final int DEPARTED = 8;
    private static final int FENCE = 9;
    private static final int ABORT = 10;
    private static final int GOODBYE = 11;
    private static final int GOODBYE_HEARD = 12;
    private static final int REACHED = 13;
    private static final int SUSPECT = 14;
    private static final int PUT = 15;
    private static final int STORED = 16;
    private static final int GET = 17;
    private static final int VALUE = 18;
    private static final int ASK_WAITS = 19;
    private static final int WAITS = 20;
    private static final int PENDING = 21;
    private static final int NO_MORE = 22;
    private static final int COMMITTED = 23;
    private static final int RECALL = 24;
    private static final int STILL_WAITING = 25;
    private static final int SPARE = 26;
    private static final int ASSIGN = 27;
    private static final int HEARD = 28;
    private static final int ARE_YOU_THERE = 29;
    private static final int HERE = 30;
    private static final int DO_YOU_HEAR = 31;
    private static final int STILL_NOTHING = 32;
    private static final int SILENCED = 33;

    private RendezvousCodec() {}

    public static byte[] encode(RendezvousMessage message) {
        WireWriter out = new WireWriter(MAX_MESSAGE_BYTES);
        if (message instanceof RendezvousMessage.Join join) {
            join.member().writeTo(out.putByte(JOIN));
            out.putInt(join.round()).putInt(join.epoch());
        } else if (message instanceof RendezvousMessage.Table table) {
            putMembers(out.putByte(TABLE).putInt(table.round()), table.members());
        } else if (message instanceof RendezvousMessage.Confirm confirm) {
            out.putByte(CONFIRM).putInt(confirm.round());
        } else if (message instanceof RendezvousMessage.Final world) {
            putMembers(out.putByte(FINAL).putInt(world.round()).putInt(world.epoch()), world.members());
        } else if (message instanceof RendezvousMessage.Wait wait) {
            putMembers(out.putByte(WAIT).putInt(wait.round()).putInt(wait.epoch()), wait.members());
        } else if (message instanceof RendezvousMessage.Out end) {
            out.putByte(OUT).putByte(end.reason().ordinal()).putText(end.text());
        } else {
            encodeRunning(message, out);
        }
        return out.toByteArray();
    }

    private static void encodeRunning(RendezvousMessage message, WireWriter out) {
        if (message instanceof RendezvousMessage.Death death) {
            out.putByte(DEATH).putProcess(death.process()).putText(death.reason());
        } else if (message instanceof RendezvousMessage.Departed departed) {
            out.putByte(DEPARTED).putProcess(departed.process());
        } else if (message instanceof RendezvousMessage.Fence fence) {
            out.putByte(FENCE).putText(fence.reason());
        } else if (message instanceof RendezvousMessage.Abort abort) {
            out.putByte(ABORT).putInt(abort.code()).putText(abort.reason());
        } else if (message instanceof RendezvousMessage.Goodbye goodbye) {
            goodbye.heldForFailed().writeTo(out.putByte(GOODBYE));
        } else if (message instanceof RendezvousMessage.GoodbyeHeard) {
            out.putByte(GOODBYE_HEARD);
        } else if (message instanceof RendezvousMessage.Reached reached) {
            out.putByte(REACHED).putInt(reached.rule());
        } else if (message instanceof RendezvousMessage.Suspect suspect) {
            out.putByte(SUSPECT).putProcess(suspect.process());
        } else if (message instanceof RendezvousMessage.AskWaits ask) {
            out.putByte(ASK_WAITS).putLong(ask.request());
        } else if (message instanceof RendezvousMessage.Waits waits) {
            out.putByte(WAITS).putLong(waits.request()).putBlob(waits.report());
        } else {
            encodeReplacing(message, out);
        }
    }

    private static void encodeReplacing(RendezvousMessage message, WireWriter out) {
        if (message instanceof RendezvousMessage.Pending pending) {
            pending.member().writeTo(out.putByte(PENDING));
        } else if (message instanceof RendezvousMessage.NoMore none) {
            out.putByte(NO_MORE).putInt(none.slot()).putText(none.why());
        } else if (message instanceof RendezvousMessage.Committed world) {
            out.putByte(COMMITTED).putInt(world.round()).putInt(world.epoch());
            putMembers(out.putLong(world.digest()), world.members());
        } else if (message instanceof RendezvousMessage.Recall recall) {
            out.putByte(RECALL).putInt(recall.round()).putInt(recall.call());
        } else if (message instanceof RendezvousMessage.StillWaiting answer) {
            out.putByte(STILL_WAITING).putInt(answer.call());
        } else if (message instanceof RendezvousMessage.Spare spare) {
            out.putByte(SPARE).putInt(spare.number());
        } else if (message instanceof RendezvousMessage.Assign assign) {
            out.putByte(ASSIGN).putProcess(assign.process());
        } else {
            encodeJudging(message, out);
        }
    }

    private static void encodeJudging(RendezvousMessage message, WireWriter out) {
        if (message instanceof RendezvousMessage.Heard heard) {
            out.putByte(HEARD).putProcess(heard.process());
        } else if (message instanceof RendezvousMessage.AreYouThere ask) {
            putProcesses(out.putByte(ARE_YOU_THERE).putLong(ask.question()), ask.complainers());
        } else if (message instanceof RendezvousMessage.Here here) {
            out.putByte(HERE).putLong(here.question());
        } else if (message instanceof RendezvousMessage.DoYouHear ask) {
            out.putByte(DO_YOU_HEAR).putLong(ask.question()).putProcess(ask.process());
        } else if (message instanceof RendezvousMessage.StillNothing nothing) {
            out.putByte(STILL_NOTHING).putLong(nothing.question()).putProcess(nothing.process());
        } else if (message instanceof RendezvousMessage.Silenced silenced) {
            out.putByte(SILENCED).putProcess(silenced.process()).putText(silenced.reason());
        } else {
            encodeStore(message, out);
        }
    }

    private static void encodeStore(RendezvousMessage message, WireWriter out) {
        if (message instanceof RendezvousMessage.Put put) {
            out.putByte(PUT).putLong(put.request()).putText(put.key()).putBlob(put.value());
        } else if (message instanceof RendezvousMessage.Stored stored) {
            out.putByte(STORED).putLong(stored.request()).putText(stored.refusal());
        } else if (message instanceof RendezvousMessage.Get get) {
            out.putByte(GET).putLong(get.request()).putText(get.key());
        } else if (message instanceof RendezvousMessage.Value value) {
            out.putByte(VALUE).putLong(value.request()).putBlob(value.value());
        } else {
            throw new IllegalStateException("no wire form for " + message);
        }
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

    private static void putProcesses(WireWriter out, List<ProcessId> processes) {
        out.putInt(processes.size());
        for (ProcessId process : processes) {
            out.putProcess(process);
        }
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

    private static void putMembers(WireWriter out, List<MemberRecord> members) {
        out.putInt(members.size());
        for (MemberRecord member : members) {
            member.writeTo(out);
        }
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
