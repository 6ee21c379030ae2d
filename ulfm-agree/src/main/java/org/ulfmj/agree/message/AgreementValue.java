package org.ulfmj.agree.message;

import java.util.SortedMap;
import org.ulfmj.protocol.SlotSet;

/**
 * Contributions on their way up the tree, combined. {@link #combine} is associative, commutative and idempotent. So
 * neither the shape of the tree nor the order of arrival matters, and a value may be counted twice: once inside the
 * value of a parent that died, and once more when it is sent to the next parent.
 *
 * @param kinds every call among the contributions, with the lowest rank that made it
 * @param flags bitwise AND of the flags, one entry per kind, so that calls that do not belong together do not mix their
 *     results
 * @param failed slots of members that some contributor has marked failed
 * @param acknowledged slots whose failure every contributor has acknowledged
 * @param storedFrom lowest agreement from which on every contributor has stored decisions
 * @param storedTo last such agreement; below {@code storedFrom} if there is none
 * @param notes the notes of contributors, by slot
 * @param offer what contributors offer about replacements and joiners, or keep in housekeeping
 * @param second bitwise AND of the second values, which an inter-communicator's second group brings in; else all ones
 */
public record AgreementValue(
        SortedMap<Kind, Integer> kinds,
        SortedMap<Kind, Integer> flags,
        SlotSet failed,
        SlotSet acknowledged,
        long storedFrom,
        long storedTo,
        SortedMap<Integer, byte[]> notes,
        Offer offer,
        int second) {

    /** The value that changes no other value when the two are combined. */
    public static final AgreementValue NEUTRAL =
            new AgreementValue(KindMap.EMPTY, KindMap.EMPTY, SlotSet.EMPTY, SlotSet.ALL, 0, Long.MAX_VALUE);

    /** A value without notes and offers. */
    public AgreementValue(
            SortedMap<Kind, Integer> kinds,
            SortedMap<Kind, Integer> flags,
            SlotSet failed,
            SlotSet acknowledged,
            long storedFrom,
            long storedTo) {
        this(kinds, flags, failed, acknowledged, storedFrom, storedTo, Notes.NONE, Offer.NONE, -1);
    }

    public AgreementValue {
        KindMap calls = KindMap.of(kinds);
        KindMap results = KindMap.of(flags);
        if (calls.mask() != results.mask()) {
            throw new IllegalArgumentException("kinds " + kinds + " and flags " + flags + " differ in their kinds");
        }
        kinds = calls;
        flags = results;
        notes = Notes.of(notes);
    }

    /** The value that one rank brings in. */
    public static AgreementValue of(Contribution mine, int rank, SlotSet failed, long storedFrom, long storedTo) {
        return new AgreementValue(
                KindMap.of(mine.kind(), rank),
                KindMap.of(mine.kind(), mine.flag()),
                failed,
                mine.acknowledged(),
                storedFrom,
                storedTo,
                Notes.NONE,
                Offer.NONE,
                mine.second());
    }

    public AgreementValue combine(AgreementValue other) {
        if (this == NEUTRAL) {
            // This is the case at each rank for the first value: the value before it is NEUTRAL.
            return other;
        }
        return new AgreementValue(
                merged((KindMap) kinds, (KindMap) other.kinds, true),
                merged((KindMap) flags, (KindMap) other.flags, false),
                failed.union(other.failed),
                acknowledged.intersection(other.acknowledged),
                Math.max(storedFrom, other.storedFrom),
                Math.min(storedTo, other.storedTo),
                ((Notes) notes).union((Notes) other.notes),
                offer.combine(other.offer),
                second & other.second);
    }

    /** This value with the notes and the offer of its contributor. */
    public AgreementValue with(Notes itsNotes, Offer itsOffer) {
        return itsNotes == notes && itsOffer == offer
                ? this
                : new AgreementValue(
                        kinds, flags, failed, acknowledged, storedFrom, storedTo, itsNotes, itsOffer, second);
    }

    public AgreementValue withFailed(SlotSet more) {
        return failed.containsAll(more)
                ? this
                : new AgreementValue(
                        kinds, flags, failed.union(more), acknowledged, storedFrom, storedTo, notes, offer, second);
    }

    /** The decision that this value becomes once all members have contributed. */
    public Decision toDecision() {
        return new Decision(
                kinds, flags, !acknowledged.containsAll(failed), failed, storedFrom, storedTo, notes, offer, second);
    }

    private static KindMap merged(KindMap left, KindMap right, boolean lowest) {
        int mask = left.mask() | right.mask();
        if (mask == left.mask() && addsNothing(left, right, lowest)) {
            return left;
        }
        int[] merged = new int[Integer.bitCount(mask)];
        int count = 0;
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int kind = Integer.numberOfTrailingZeros(rest);
            int value = right.has(kind) ? right.valueOf(kind) : left.valueOf(kind);
            merged[count++] = left.has(kind) ? merged(left.valueOf(kind), value, lowest) : value;
        }
        return new KindMap(mask, merged);
    }

    private static boolean addsNothing(KindMap left, KindMap right, boolean lowest) {
        for (int rest = right.mask(); rest != 0; rest &= rest - 1) {
            int kind = Integer.numberOfTrailingZeros(rest);
            int known = left.valueOf(kind);
            if (merged(known, right.valueOf(kind), lowest) != known) {
                return false;
            }
        }
        return true;
    }

    private static int merged(int known, int value, boolean lowest) {
        return lowest ? Math.min(known, value) : known & value;
    }
}
