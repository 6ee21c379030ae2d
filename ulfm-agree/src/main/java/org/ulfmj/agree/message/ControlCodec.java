package org.ulfmj.agree.message;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * Control messages as bytes: one byte for the type, then the fields, little endian.
 *
 * <pre>
 *   set     i32 count, i32 slot …            ascending; count −1 is the set of all
 *   runs    i32 count, (i32 first, i32 step, i32 length) …
 *   kinds   u8 count, (u8 kind, i32 lowest rank, i32 flag) …
 *           count + 64: notes follow at the end of the value; count + 128: an offer, after them;
 *           count + 32: i32 second value, after both
 * </pre>
 *
 * An UP or DOWN message that fits the {@link BriefForm} is always written in that form, a goodbye never.
 *
 * <p>Reading allocates nothing for a length that the bytes left could not fill, and throws {@link WireFormatException}
 * for bytes that are no message.
 */
public final class ControlCodec {
    /** The most bytes of a message: as many as fit into one frame. */
    public static final int MAX_BYTES = 256 * 1024;

    /** The most characters of a reason. Longer reasons are cut, since they are for people. */
    public static final int MAX_REASON = 200;

    private static final int HEARTBEAT = 1;
    private static final int OBSERVE = 2;
    private static final int UNOBSERVE = 3;
    private static final int OBITUARY = 4;
    private static final int REVOKE = 5;
    private static final int UP = 6;
    private static final int DOWN = 7;
    private static final int RESULT_REQUEST = 8;
    private static final int NEXT_ROUND = 9;
    private static final int GOODBYE = 10;
    private static final int PROBE = 11;
    private static final int WELCOME = 12;

    /** The types 13 and 14, which come before this one, are those of {@link BriefForm}. */
    private static final int FREED_LIST = 15;

    /**
     * A bit in the byte that counts the kinds: notes follow. A message without notes, as most are, needs no byte to say
     * so.
     */
    private static final int HAS_NOTES = 64;

    private static final int HAS_OFFER = 128;

    private static final int HAS_SECOND = 32;

    private static final int KINDS = Kind.values().length;
    private static final int KIND_BYTES = 1 + 2 * Integer.BYTES;
    private static final Evidence.Kind[] EVIDENCE = Evidence.Kind.values();
    private static final ControlMessage.Detector HEARTBEAT_MESSAGE =
            new ControlMessage.Detector(new DetectorMessage.Heartbeat());

    private ControlCodec() {}

    /** Returns the bytes of a message. Throws {@link WireFormatException} if they are more than {@link #MAX_BYTES}. */
    public static byte[] encode(ControlMessage message) {
        WireWriter out = new WireWriter(MAX_BYTES);
        encode(message, out);
        return out.toByteArray();
    }

    /** Appends the bytes of a message. */
    public static void encode(ControlMessage message, WireWriter out) {
        if (message instanceof ControlMessage.Detector detector) {
            putDetector(detector.message(), out);
        } else if (message instanceof ControlMessage.Revoke revoke) {
            out.putByte(REVOKE).putLong(revoke.communicator()).putLong(revoke.epoch());
            revoke.members().writeTo(out);
            out.putInt(revoke.originSlot());
        } else if (message instanceof ControlMessage.Up up && BriefForm.fits(up)) {
            BriefForm.put(up, out);
        } else if (message instanceof ControlMessage.Down down && BriefForm.fits(down)) {
            BriefForm.put(down, out);
        } else if (message instanceof ControlMessage.Up up) {
            putHead(UP, up, out).putLong(up.baseView()).putInt(up.round());
            putValue(up.value(), out);
            up.fenced().writeTo(out);
        } else if (message instanceof ControlMessage.Down down) {
            putDecision(down.decision(), putHead(DOWN, down, out));
        } else if (message instanceof ControlMessage.ResultRequest request) {
            putHead(RESULT_REQUEST, request, out);
        } else if (message instanceof ControlMessage.NextRound next) {
            next.failed().writeTo(putHead(NEXT_ROUND, next, out).putInt(next.round()));
        } else if (message instanceof ControlMessage.Goodbye goodbye) {
            putDecision(goodbye.decision(), putHead(GOODBYE, goodbye, out));
        } else if (message instanceof ControlMessage.Welcome welcome) {
            putWelcome(welcome, out.putByte(WELCOME));
        } else if (message instanceof ControlMessage.FreedList list) {
            putFreedList(list, out.putByte(FREED_LIST));
        } else {
            throw new IllegalStateException("no wire format for " + message);
        }
    }

    /** Reads one message, which must end where the bytes of the reader end. */
    public static ControlMessage decode(WireReader in) {
        ControlMessage message = decode(in.getByte(), in);
        in.requireEnd();
        return message;
    }

    private static ControlMessage decode(int type, WireReader in) {
        switch (type) {
            case HEARTBEAT:
                return HEARTBEAT_MESSAGE;
            case OBSERVE:
                return new ControlMessage.Detector(new DetectorMessage.Observe());
            case UNOBSERVE:
                return new ControlMessage.Detector(new DetectorMessage.Unobserve());
            case PROBE:
                return new ControlMessage.Detector(new DetectorMessage.Probe());
            case OBITUARY:
                return new ControlMessage.Detector(new DetectorMessage.Obituary(in.getProcess(), getEvidence(in)));
            case REVOKE:
                return new ControlMessage.Revoke(
                        in.getLong(),
                        in.getLong(),
                        SlotRuns.readFrom(in, Integer.MAX_VALUE),
                        natural(in, "origin slot"));
            case UP:
                return BriefForm.requireNot(new ControlMessage.Up(
                        in.getLong(),
                        sequence(in),
                        in.getLong(),
                        natural(in, "round"),
                        getValue(in),
                        finite(in, "fenced processes")));
            case DOWN:
                return BriefForm.requireNot(new ControlMessage.Down(in.getLong(), sequence(in), getDecision(in)));
            case BriefForm.UP:
            case BriefForm.DOWN:
                return BriefForm.get(type, in);
            case RESULT_REQUEST:
                return new ControlMessage.ResultRequest(in.getLong(), sequence(in));
            case NEXT_ROUND:
                return new ControlMessage.NextRound(
                        in.getLong(), sequence(in), natural(in, "round"), finite(in, "failed processes"));
            case GOODBYE:
                return new ControlMessage.Goodbye(in.getLong(), sequence(in), getDecision(in));
            case WELCOME:
                return getWelcome(in);
            case FREED_LIST:
                return getFreedList(in);
            default:
                throw new WireFormatException("control message of unknown type " + type);
        }
    }

    private static void putDetector(DetectorMessage message, WireWriter out) {
        if (message instanceof DetectorMessage.Heartbeat) {
            out.putByte(HEARTBEAT);
        } else if (message instanceof DetectorMessage.Observe) {
            out.putByte(OBSERVE);
        } else if (message instanceof DetectorMessage.Unobserve) {
            out.putByte(UNOBSERVE);
        } else if (message instanceof DetectorMessage.Probe) {
            out.putByte(PROBE);
        } else if (message instanceof DetectorMessage.Obituary obituary) {
            Evidence evidence = obituary.evidence();
            out.putByte(OBITUARY).putProcess(obituary.failed());
            out.putByte(evidence.kind().ordinal()).putProcess(evidence.declaredBy());
            out.putText(cut(evidence.reason()));
        } else {
            throw new IllegalStateException("no wire format for " + message);
        }
    }

    private static Evidence getEvidence(WireReader in) {
        int kind = in.getByte();
        if (kind >= EVIDENCE.length) {
            throw new WireFormatException("evidence of unknown kind " + kind);
        }
        return new Evidence(EVIDENCE[kind], in.getProcess(), in.getText());
    }

    private static String cut(String reason) {
        return reason.length() <= MAX_REASON ? reason : reason.substring(0, MAX_REASON);
    }

    private static WireWriter putHead(int type, ControlMessage.OfAgreement message, WireWriter out) {
        return out.putByte(type).putLong(message.communicator()).putLong(message.sequence());
    }

    private static void putWelcome(ControlMessage.Welcome welcome, WireWriter out) {
        welcome.admission().writeTo(out);
        welcome.newcomers().writeTo(out);
        out.putInt(welcome.failed().size());
        for (ProcessId process : welcome.failed()) {
            out.putProcess(process);
        }
    }

    private static ControlMessage.Welcome getWelcome(WireReader in) {
        Admission admission = Admission.readFrom(in);
        SlotSet newcomers = finite(in, "newcomers");
        int count = in.getInt();
        in.requireCount(count, 2 * Integer.BYTES, "failed processes");
        SortedSet<ProcessId> failed = new TreeSet<>();
        for (int i = 0; i < count; i++) {
            ProcessId process = in.getProcess();
            if (!failed.isEmpty() && process.compareTo(failed.last()) <= 0) {
                throw new WireFormatException("failed processes must ascend, got " + process);
            }
            failed.add(process);
        }
        return new ControlMessage.Welcome(admission, newcomers, failed);
    }

    private static void putFreedList(ControlMessage.FreedList list, WireWriter out) {
        out.putLong(list.epoch()).putInt(list.initiator()).putLong(list.number());
        out.putInt(list.named().size());
        for (Freed freed : list.named()) {
            freed.writeTo(out);
        }
    }

    private static ControlMessage.FreedList getFreedList(WireReader in) {
        long epoch = in.getLong();
        int initiator = natural(in, "initiator");
        long number = sequence(in);
        int count = in.getInt();
        in.requireCount(count, Freed.LEAST_BYTES, "freed communicators");
        List<Freed> named = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            named.add(Freed.readFrom(in));
        }
        return new ControlMessage.FreedList(epoch, initiator, number, named);
    }

    private static void putValue(AgreementValue value, WireWriter out) {
        putKinds(value.kinds(), value.flags(), extras(value.notes(), value.offer(), value.second()), out);
        value.failed().writeTo(out);
        value.acknowledged().writeTo(out);
        out.putLong(value.storedFrom()).putLong(value.storedTo());
        putExtras(value.notes(), value.offer(), value.second(), out);
    }

    private static AgreementValue getValue(WireReader in) {
        int head = in.getByte();
        int count = countOfKinds(head, in);
        int[] ranks = new int[count];
        int[] flags = new int[count];
        int mask = getKinds(in, ranks, flags);
        return new AgreementValue(
                new KindMap(mask, ranks),
                new KindMap(mask, flags),
                finite(in, "failed processes"),
                SlotSet.readFrom(in),
                in.getLong(),
                in.getLong(),
                getNotes(head, in),
                getOffer(head, in),
                getSecond(head, in));
    }

    private static void putDecision(Decision decision, WireWriter out) {
        putKinds(
                decision.kinds(), decision.flags(), extras(decision.notes(), decision.offer(), decision.second()), out);
        out.putByte(decision.failureUnacknowledged() ? 1 : 0);
        decision.failed().writeTo(out);
        out.putLong(decision.collectFrom()).putLong(decision.collectTo());
        putExtras(decision.notes(), decision.offer(), decision.second(), out);
    }

    private static Decision getDecision(WireReader in) {
        int head = in.getByte();
        int count = countOfKinds(head, in);
        int[] ranks = new int[count];
        int[] flags = new int[count];
        int mask = getKinds(in, ranks, flags);
        int unacknowledged = in.getByte();
        if (unacknowledged > 1) {
            throw new WireFormatException("neither true nor false: " + unacknowledged);
        }
        return new Decision(
                new KindMap(mask, ranks),
                new KindMap(mask, flags),
                unacknowledged == 1,
                finite(in, "failed processes"),
                in.getLong(),
                in.getLong(),
                getNotes(head, in),
                getOffer(head, in),
                getSecond(head, in));
    }

    private static int extras(SortedMap<Integer, byte[]> notes, Offer offer, int second) {
        return (notes.isEmpty() ? 0 : HAS_NOTES) | (offer.isNone() ? 0 : HAS_OFFER) | (second == -1 ? 0 : HAS_SECOND);
    }

    private static void putExtras(SortedMap<Integer, byte[]> notes, Offer offer, int second, WireWriter out) {
        if (!notes.isEmpty()) {
            Notes.of(notes).writeTo(out);
        }
        if (!offer.isNone()) {
            offer.writeTo(out);
        }
        if (second != -1) {
            out.putInt(second);
        }
    }

    private static Notes getNotes(int head, WireReader in) {
        return (head & HAS_NOTES) == 0 ? Notes.NONE : Notes.readFrom(in);
    }

    private static Offer getOffer(int head, WireReader in) {
        return (head & HAS_OFFER) == 0 ? Offer.NONE : Offer.readFrom(in);
    }

    private static int getSecond(int head, WireReader in) {
        if ((head & HAS_SECOND) == 0) {
            return -1;
        }
        int second = in.getInt();
        if (second == -1) {
            throw new WireFormatException("a second value of all ones, which is not written");
        }
        return second;
    }

    private static void putKinds(
            SortedMap<Kind, Integer> kinds, SortedMap<Kind, Integer> flags, int extras, WireWriter out) {
        KindMap ranks = KindMap.of(kinds);
        KindMap results = KindMap.of(flags);
        out.putByte(ranks.size() | extras);
        for (int rest = ranks.mask(); rest != 0; rest &= rest - 1) {
            int kind = Integer.numberOfTrailingZeros(rest);
            out.putByte(kind).putInt(ranks.valueOf(kind)).putInt(results.valueOf(kind));
        }
    }

    private static int countOfKinds(int head, WireReader in) {
        int count = head & ~(HAS_NOTES | HAS_OFFER | HAS_SECOND);
        in.requireCount(count, KIND_BYTES, "kinds");
        return count;
    }

    /**
     * Reads the kinds of a value or a decision, as many as the arrays have room for, with the rank and flag of each.
     * Returns the kinds as bits. Throws if there is no kind: neither a value that is passed up nor a decision is
     * without one.
     */
    private static int getKinds(WireReader in, int[] ranks, int[] flags) {
        int mask = 0;
        for (int i = 0; i < ranks.length; i++) {
            int number = in.getByte();
            if (number >= KINDS || mask >>> number != 0) {
                throw new WireFormatException("kind " + number + " is unknown or out of order");
            }
            mask |= 1 << number;
            ranks[i] = natural(in, "rank");
            flags[i] = in.getInt();
        }
        if (mask == 0) {
            throw new WireFormatException("an agreement of no process");
        }
        return mask;
    }

    /** A map with one kind, given by its number. */
    public static KindMap oneKind(int number, int value) {
        if (number >= KINDS) {
            throw new WireFormatException("kind " + number + " is unknown or out of order");
        }
        return new KindMap(1 << number, new int[] {value});
    }

    public static long sequence(WireReader in) {
        long sequence = in.getLong();
        if (sequence < 1) {
            throw new WireFormatException("agreement " + sequence + " of a communicator; they count from 1");
        }
        return sequence;
    }

    public static int natural(WireReader in, String what) {
        int value = in.getInt();
        if (value < 0) {
            throw new WireFormatException(what + " is negative: " + value);
        }
        return value;
    }

    private static SlotSet finite(WireReader in, String what) {
        SlotSet set = SlotSet.readFrom(in);
        if (set.isAll()) {
            throw new WireFormatException("all slots as " + what);
        }
        return set;
    }
}
