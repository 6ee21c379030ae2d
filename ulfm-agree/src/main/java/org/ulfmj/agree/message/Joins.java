package org.ulfmj.agree.message;

import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * What members that call grow() offer about joiners (G1), combined like all that an agreement decides: associative,
 * commutative and idempotent.
 *
 * <p>A value stands for the set of all joiners that were offered. It names the first of them, in the order of
 * {@link Joiner}, up to the first one that does not fit into {@link #MAX_BYTES}. That one is kept as the cut, and no
 * joiner behind the cut is named again: without it, a long joiner that did not fit would let a shorter one behind it
 * fit or not fit, by the order in which offers are combined.
 *
 * <p>Immutable, and equal by content. Its elements are the named joiners.
 */
public final class Joins implements Iterable<Joiner> {
    /**
     * The most bytes that the named joiners may have: three quarters of what notes and replacements leave of a message.
     * The rest is for the cut and for the failed processes.
     */
    public static final int MAX_BYTES = (ControlCodec.MAX_BYTES - Notes.MAX_TOTAL_BYTES - Offer.MAX_BYTES) * 3 / 4;

    private static final int NO_LIMIT = Integer.MAX_VALUE;

    /** What a member says that does not call grow(). It changes nothing that it is combined with. */
    public static final Joins NONE = new Joins(Collections.emptySortedSet(), null, NO_LIMIT);

    private final SortedSet<Joiner> first;
    private final Joiner cut;
    private final int most;

    private Joins(SortedSet<Joiner> first, Joiner cut, int most) {
        this.first = Collections.unmodifiableSortedSet(first);
        this.cut = cut;
        this.most = most;
    }

    /** The offer of a member that knows these joiners. */
    public static Joins of(Collection<Joiner> known, int most) {
        return fitting(new TreeSet<>(known), null, most);
    }

    private static Joins fitting(SortedSet<Joiner> joiners, Joiner cut, int most) {
        int length = 0;
        for (Joiner joiner : joiners) {
            boolean isBehindTheCut = cut != null && joiner.compareTo(cut) >= 0;
            length += joiner.lengthBytes();
            if (isBehindTheCut || length > MAX_BYTES) {
                return new Joins(new TreeSet<>(joiners.headSet(joiner)), isBehindTheCut ? cut : joiner, most);
            }
        }
        return new Joins(joiners, cut, most);
    }

    /** The joiners that are named. Two of them may have one nonce, if the members heard different things. */
    public SortedSet<Joiner> first() {
        return first;
    }

    /** The first joiner that did not fit; null if all did. */
    public Joiner cut() {
        return cut;
    }

    /** The most members that joiners may bring the world to: the least that any member has named. */
    public int most() {
        return most;
    }

    @Override
    public Iterator<Joiner> iterator() {
        return first.iterator();
    }

    public boolean isNone() {
        return first.isEmpty() && cut == null && most == NO_LIMIT;
    }

    public Joins combine(Joins other) {
        if (other.isNone() || isNone()) {
            return isNone() ? other : this;
        }
        SortedSet<Joiner> all = new TreeSet<>(first);
        all.addAll(other.first);
        Joiner earlier = cut == null || other.cut != null && other.cut.compareTo(cut) < 0 ? other.cut : cut;
        return fitting(all, earlier, Math.min(most, other.most));
    }

    void writeTo(WireWriter out) {
        out.putInt(most).putByte(cut == null ? 0 : 1).putInt(first.size());
        for (Joiner joiner : first) {
            joiner.writeTo(out);
        }
        if (cut != null) {
            cut.writeTo(out);
        }
    }

    static Joins readFrom(WireReader in) {
        int most = in.getInt();
        int hasCut = in.getByte();
        int count = in.getInt();
        in.requireCount(count, Joiner.LEAST_BYTES, "joiners");
        SortedSet<Joiner> joiners = new TreeSet<>();
        for (int i = 0; i < count; i++) {
            add(Joiner.readFrom(in), joiners);
        }
        Joins joins = fitting(joiners, hasCut == 0 ? null : Joiner.readFrom(in), most);
        if (most < 1 || hasCut > 1 || joins.first.size() != count || joins.isNone() || joins.isCutTooEarly()) {
            throw new WireFormatException(count + " joiners of more than " + MAX_BYTES + " bytes, behind the cut "
                    + joins.cut + " or with room for it, or none, for a world of " + most);
        }
        return joins;
    }

    /** Whether the cut would fit behind the named joiners: no set of joiners has such a value. */
    private boolean isCutTooEarly() {
        int length = 0;
        for (Joiner joiner : first) {
            length += joiner.lengthBytes();
        }
        return cut != null && length + cut.lengthBytes() <= MAX_BYTES;
    }

    private static void add(Joiner joiner, SortedSet<Joiner> joiners) {
        if (!joiners.isEmpty() && joiner.compareTo(joiners.last()) <= 0) {
            throw new WireFormatException("joiners must ascend, got " + joiner);
        }
        joiners.add(joiner);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Joins that
                && first.equals(that.first)
                && Objects.equals(cut, that.cut)
                && most == that.most;
    }

    @Override
    public int hashCode() {
        return 31 * first.hashCode() + most;
    }

    @Override
    public String toString() {
        return isNone() ? "{}" : first + (cut == null ? "" : " cut at " + cut) + " most " + most;
    }
}
