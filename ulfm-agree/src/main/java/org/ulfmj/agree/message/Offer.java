package org.ulfmj.agree.message;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * What the members of a world know about replacements and joiners, combined like all that an agreement decides:
 * associative, commutative and idempotent.
 *
 * @param newcomers the newest waiting process of each slot, with its address: the member that has seen a newcomer may
 *     be dead when the newcomer is to be told
 * @param joins the processes without a slot that wait to be let in (G1)
 * @param noMore slots for which no process is started any more
 * @param waits whether a member is ready to wait for the slots that are still empty
 * @param strict whether a member wants all slots filled or nothing changed
 * @param kept for housekeeping: places of the listed communicators that a member keeps
 * @param isTooLong whether the known newcomers together did not fit, so that none of them is named
 */
public record Offer(
        SortedMap<Integer, Contact> newcomers,
        Joins joins,
        SlotSet noMore,
        boolean waits,
        boolean strict,
        boolean isTooLong,
        SlotSet kept) {
    /**
     * The most bytes that the newcomers of an offer may have. The rest of a message is for notes, for joiners and for
     * the failed processes.
     */
    public static final int MAX_BYTES = ControlCodec.MAX_BYTES * 3 / 8;

    /** The offer of a member that has nothing to offer; it changes nothing that it is combined with. */
    public static final Offer NONE = new Offer(new TreeMap<>(), SlotSet.EMPTY, false, false);

    private static final int WAITS = 1;
    private static final int STRICT = 2;
    private static final int TOO_LONG = 4;
    private static final int KEPT = 8;
    private static final int JOINS = 16;

    public Offer {
        newcomers = Collections.unmodifiableSortedMap(newcomers);
        // Null stands for no joiners: so only worlds that grow load class Joins. Every world makes an offer at its
        // first agreement.
        joins = joins == null || joins.isNone() ? null : joins;
    }

    /** What is offered about joiners; {@link Joins#NONE} if there is nothing. */
    @Override
    public Joins joins() {
        return joins == null ? Joins.NONE : joins;
    }

    /** Whether anything is offered about joiners. */
    public boolean hasJoins() {
        return joins != null;
    }

    /**
     * Makes an offer of newcomers. If the newcomers have too many bytes, the offer names none and {@code isTooLong} is
     * true.
     */
    public Offer(SortedMap<Integer, Contact> newcomers, SlotSet noMore, boolean waits, boolean strict) {
        this(
                lengthBytes(newcomers) > MAX_BYTES ? new TreeMap<>() : newcomers,
                null,
                noMore,
                waits,
                strict,
                lengthBytes(newcomers) > MAX_BYTES,
                SlotSet.EMPTY);
    }

    /** This offer, and these joiners. */
    public Offer with(Joins joiners) {
        return new Offer(newcomers, joiners, noMore, waits, strict, isTooLong, kept);
    }

    /** The offer of a member in housekeeping. */
    public static Offer keeping(SlotSet kept) {
        return kept.isEmpty() ? NONE : NONE.keeps(kept);
    }

    private Offer keeps(SlotSet places) {
        return new Offer(newcomers, joins, noMore, waits, strict, isTooLong, places);
    }

    private static int lengthBytes(SortedMap<Integer, Contact> newcomers) {
        int length = 0;
        for (Contact newcomer : newcomers.values()) {
            length += newcomer.lengthBytes();
        }
        return length;
    }

    public boolean isNone() {
        return this == NONE
                || newcomers.isEmpty()
                        && joins == null
                        && noMore.isEmpty()
                        && !waits
                        && !strict
                        && !isTooLong
                        && kept.isEmpty();
    }

    public Offer combine(Offer other) {
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
        boolean tooLong = isTooLong || other.isTooLong || lengthBytes(newest) > MAX_BYTES;
        return new Offer(
                tooLong ? new TreeMap<>() : newest,
                joins == null ? other.joins : other.joins == null ? joins : joins.combine(other.joins),
                noMore.union(other.noMore),
                waits || other.waits,
                strict || other.strict,
                tooLong,
                kept.union(other.kept));
    }

    /**
     * The newest process that is offered for a slot, if its incarnation is above the given one of the process that has
     * the slot now; null if there is none.
     */
    public Contact replacement(int slot, int incarnation) {
        Contact offered = newcomers.get(slot);
        return offered != null && offered.process().incarnation() > incarnation ? offered : null;
    }

    /** The text that the record would have if its joiners were never null. */
    @Override
    public String toString() {
        return "Offer[newcomers=" + newcomers + ", joins=" + joins() + ", noMore=" + noMore + ", waits=" + waits
                + ", strict=" + strict + ", isTooLong=" + isTooLong + ", kept=" + kept + "]";
    }

    public void writeTo(WireWriter out) {
        ContactList.write(newcomers, out);
        noMore.writeTo(out);
        out.putByte((waits ? WAITS : 0)
                | (strict ? STRICT : 0)
                | (isTooLong ? TOO_LONG : 0)
                | (kept.isEmpty() ? 0 : KEPT)
                | (joins == null ? 0 : JOINS));
        if (!kept.isEmpty()) {
            kept.writeTo(out);
        }
        if (joins != null) {
            joins.writeTo(out);
        }
    }

    public static Offer readFrom(WireReader in) {
        SortedMap<Integer, Contact> newcomers = ContactList.read(in);
        SlotSet noMore = SlotSet.readFrom(in);
        int bits = in.getByte();
        boolean tooLong = (bits & TOO_LONG) != 0;
        SlotSet kept = (bits & KEPT) == 0 ? SlotSet.EMPTY : SlotSet.readFrom(in);
        Joins joins = (bits & JOINS) == 0 ? null : Joins.readFrom(in);
        Offer offer = new Offer(newcomers, joins, noMore, (bits & WAITS) != 0, (bits & STRICT) != 0, tooLong, kept);
        if (bits > (WAITS | STRICT | TOO_LONG | KEPT | JOINS)
                || offer.isNone()
                || (bits & KEPT) != 0 && kept.isEmpty()
                || tooLong && !newcomers.isEmpty()) {
            throw new WireFormatException("an offer of nothing, or with bits " + bits);
        }
        return offer;
    }
}
