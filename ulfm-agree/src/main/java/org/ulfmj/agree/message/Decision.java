package org.ulfmj.agree.message;

import java.util.SortedMap;
import org.ulfmj.protocol.SlotSet;

/**
 * What an agreement decided; equal at all members that are not later reported failed, apart from a Finalize that a rank
 * decides alone.
 *
 * @param kinds every kind that took part, with the lowest rank that called it
 * @param flags the bitwise AND of the flags, by kind
 * @param failureUnacknowledged whether some member that failed was not acknowledged by every participant
 * @param failed slots of the members that are marked failed by this agreement
 * @param collectFrom first agreement of this communicator whose decision is to be dropped, since no process can ask for
 *     it any more
 * @param collectTo last such agreement; below {@code collectFrom} if there is none
 * @param notes the notes of participants, by slot, also of participants that have failed since
 * @param offer what participants offer about replacements and joiners, or keep in housekeeping
 * @param second the bitwise AND of the flags of an inter-communicator's second group, whose first group's are in
 *     {@code flags}; all ones for any other communicator
 */
public record Decision(
        SortedMap<Kind, Integer> kinds,
        SortedMap<Kind, Integer> flags,
        boolean failureUnacknowledged,
        SlotSet failed,
        long collectFrom,
        long collectTo,
        SortedMap<Integer, byte[]> notes,
        Offer offer,
        int second) {

    /** A decision without notes and offers. */
    public Decision(
            SortedMap<Kind, Integer> kinds,
            SortedMap<Kind, Integer> flags,
            boolean failureUnacknowledged,
            SlotSet failed,
            long collectFrom,
            long collectTo) {
        this(kinds, flags, failureUnacknowledged, failed, collectFrom, collectTo, Notes.NONE, Offer.NONE, -1);
    }

    public Decision {
        KindMap calls = KindMap.of(kinds);
        KindMap results = KindMap.of(flags);
        if (calls.mask() == 0 || calls.mask() != results.mask()) {
            throw new IllegalArgumentException("a decision of kinds " + kinds + " with flags " + flags);
        }
        kinds = calls;
        flags = results;
        notes = Notes.of(notes);
    }

    /** Whether all participants had made the same call. */
    public boolean isOfOneKind() {
        return kinds.size() == 1;
    }

    /** Whether all participants had made this call. */
    public boolean isOnly(Kind kind) {
        return isOfOneKind() && kinds.firstKey() == kind;
    }

    /**
     * Whether this decision is from the first agreement of a call that returns only after a second one has confirmed
     * it.
     */
    public boolean isUniform() {
        return isOfOneKind() && kinds.firstKey().isUniform();
    }

    /** The bitwise AND of the flags of all members that made this call; throws for a kind that took no part. */
    public int flag(Kind kind) {
        Integer flag = flags.get(kind);
        if (flag == null) {
            throw new IllegalStateException("no member called " + kind.callName() + " in " + this);
        }
        return flag;
    }
}
