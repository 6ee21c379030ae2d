package org.ulfmj.agree;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * What the members of a world know about replacements, combined like all that an agreement decides: associative,
 * commutative and idempotent.
 *
 * @param newcomers processes that wait, the newest of each slot, with their addresses: who has seen a newcomer may be dead
 *     when it is to be told
 * @param noMore slots for which nobody starts processes any more
 * @param waits whether somebody is ready to wait for the slots that are still empty
 * @param strict whether somebody wants all slots filled or nothing changed
 */
public record Offer(SortedMap<Integer, Contact> newcomers, SlotSet noMore, boolean waits, boolean strict) {
    /** Of who has nothing to say; changes nothing it is combined with. */
    public static final Offer NONE = new Offer(new TreeMap<>(), SlotSet.EMPTY, false, false);

    private static final int WAITS = 1;
    private static final int STRICT = 2;

    public Offer {
        newcomers = Collections.unmodifiableSortedMap(newcomers);
    }

    boolean isNone() {
        return this == NONE || newcomers.isEmpty() && noMore.isEmpty() && !waits && !strict;
    }

    Offer combine(Offer other) {
        if (other == this || other == NONE) {
            return this;
        }
        if (this == NONE) {
            return other;
        }
        SortedMap<Integer, Contact> newest = new TreeMap<>(newcomers);
        for (SortedMap.Entry<Integer, Contact> offered : other.newcomers.entrySet()) {
            Contact known = newest.get(offered.getKey());
            newest.put(offered.getKey(), known == null ? offered.getValue() : Contact.newer(known, offered.getValue()));
        }
        return new Offer(newest, noMore.union(other.noMore), waits || other.waits, strict || other.strict);
    }

    /** The newest process offered for a slot whose holder has this incarnation; null if there is none. */
    Contact replacement(int slot, int incarnation) {
        Contact offered = newcomers.get(slot);
        return offered != null && offered.process().incarnation() > incarnation ? offered : null;
    }

    void writeTo(WireWriter out) {
        Contacts.write(newcomers, out);
        noMore.writeTo(out);
        out.putByte((waits ? WAITS : 0) | (strict ? STRICT : 0));
    }

    static Offer readFrom(WireReader in) {
        SortedMap<Integer, Contact> newcomers = Contacts.read(in);
        SlotSet noMore = SlotSet.readFrom(in);
        int bits = in.getByte();
        Offer offer = new Offer(newcomers, noMore, (bits & WAITS) != 0, (bits & STRICT) != 0);
        if (bits > (WAITS | STRICT) || offer.isNone()) {
            throw new WireFormatException("an offer of nothing, or with bits " + bits);
        }
        return offer;
    }
}
