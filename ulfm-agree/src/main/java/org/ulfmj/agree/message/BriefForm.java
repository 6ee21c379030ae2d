package org.ulfmj.agree.message;

import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * The short form of an UP or DOWN message on the wire. It fits if all made the same call, no process has failed, all
 * failures or none are acknowledged, there are no notes, no offers and no second value, the agreement is in its first
 * round, and at most the decision before this one is stored. The form has twenty-seven bytes; the long form of a value
 * has at least sixty-seven.
 *
 * <pre>
 *   u8 type, u8 kind, u8 bits, i64 communicator, i64 sequence, i32 lowest rank, i32 flag
 * </pre>
 */
public final class BriefForm {
    public static final int UP = 13;
    public static final int DOWN = 14;

    /**
     * The bit for decisions that are stored, or to be collected. If it is set, the decision of the agreement before is
     * the only one; otherwise there is none.
     */
    private static final int HAS_STORED = 1;
    /** A bit of {@link #UP}: the contributors acknowledge every failure. Without the bit they acknowledge none. */
    private static final int ACKNOWLEDGES_ALL = 2;

    private static final long NOTHING_FROM = Long.MAX_VALUE;
    private static final long NOTHING_TO = 0;

    private BriefForm() {}

    public static boolean fits(ControlMessage.Up up) {
        AgreementValue value = up.value();
        return up.baseView() == 0
                && up.round() == 0
                && up.fenced().isEmpty()
                && value.kinds().size() == 1
                && value.failed().isEmpty()
                && (value.acknowledged().isAll() || value.acknowledged().isEmpty())
                && isPlain(value.storedFrom(), value.storedTo(), up.sequence())
                && value.notes().isEmpty()
                && value.offer().isNone()
                && value.second() == -1;
    }

    public static boolean fits(ControlMessage.Down down) {
        Decision decision = down.decision();
        return decision.kinds().size() == 1
                && !decision.failureUnacknowledged()
                && decision.failed().isEmpty()
                && isPlain(decision.collectFrom(), decision.collectTo(), down.sequence())
                && decision.notes().isEmpty()
                && decision.offer().isNone()
                && decision.second() == -1;
    }

    /** Returns a value that came in the long form. Throws if it fits the brief form. */
    public static ControlMessage requireNot(ControlMessage.Up up) {
        if (fits(up)) {
            throw new WireFormatException("an agreement's value in the long form that fits the brief one");
        }
        return up;
    }

    /** Returns a decision that came in the long form. Throws if it fits the brief form. */
    public static ControlMessage requireNot(ControlMessage.Down down) {
        if (fits(down)) {
            throw new WireFormatException("a decision in the long form that fits the brief one");
        }
        return down;
    }

    private static boolean isPlain(long from, long to, long sequence) {
        return from == NOTHING_FROM && to == NOTHING_TO || isTheOneBefore(from, to, sequence);
    }

    private static boolean isTheOneBefore(long from, long to, long sequence) {
        return from == sequence - 1 && to == from;
    }

    public static void put(ControlMessage.Up up, WireWriter out) {
        AgreementValue value = up.value();
        int bits = (isTheOneBefore(value.storedFrom(), value.storedTo(), up.sequence()) ? HAS_STORED : 0)
                | (value.acknowledged().isAll() ? ACKNOWLEDGES_ALL : 0);
        put(UP, bits, up, (KindMap) value.kinds(), (KindMap) value.flags(), out);
    }

    public static void put(ControlMessage.Down down, WireWriter out) {
        Decision decision = down.decision();
        int bits = isTheOneBefore(decision.collectFrom(), decision.collectTo(), down.sequence()) ? HAS_STORED : 0;
        put(DOWN, bits, down, (KindMap) decision.kinds(), (KindMap) decision.flags(), out);
    }

    private static void put(
            int type, int bits, ControlMessage.OfAgreement message, KindMap ranks, KindMap flags, WireWriter out) {
        int kind = Integer.numberOfTrailingZeros(ranks.mask());
        out.putByte(type).putByte(kind).putByte(bits);
        out.putLong(message.communicator()).putLong(message.sequence());
        out.putInt(ranks.valueOf(kind)).putInt(flags.valueOf(kind));
    }

    /** Reads the fields that follow the type. */
    public static ControlMessage get(int type, WireReader in) {
        int kind = in.getByte();
        int bits = in.getByte();
        if (bits > (type == UP ? HAS_STORED | ACKNOWLEDGES_ALL : HAS_STORED)) {
            throw new WireFormatException("brief form with unknown bits " + bits);
        }
        long communicator = in.getLong();
        long sequence = ControlCodec.sequence(in);
        KindMap ranks = ControlCodec.oneKind(kind, ControlCodec.natural(in, "rank"));
        KindMap flags = ControlCodec.oneKind(kind, in.getInt());
        boolean hasStored = (bits & HAS_STORED) != 0;
        long from = hasStored ? sequence - 1 : NOTHING_FROM;
        long to = hasStored ? sequence - 1 : NOTHING_TO;
        if (type == DOWN) {
            Decision decision = new Decision(ranks, flags, false, SlotSet.EMPTY, from, to);
            return new ControlMessage.Down(communicator, sequence, decision);
        }
        SlotSet acknowledged = (bits & ACKNOWLEDGES_ALL) != 0 ? SlotSet.ALL : SlotSet.EMPTY;
        AgreementValue value = new AgreementValue(ranks, flags, SlotSet.EMPTY, acknowledged, from, to);
        return new ControlMessage.Up(communicator, sequence, 0, 0, value, SlotSet.EMPTY);
    }
}
