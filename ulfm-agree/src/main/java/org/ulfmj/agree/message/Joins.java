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
 * What members that call grow() offer (G1), combined like all that an agreement decides: associative, commutative and
 * idempotent. It is the joiners, the most members of the world, and whether the world is revoked.
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
    private static final int CUT = 1;
    private static final int REVOKED = 2;

    /** The value of a member that does not call grow(). It changes no value that it is combined with. */
    public static final Joins NONE = new Joins(Collections.emptySortedSet(), null, NO_LIMIT, false);

    private final SortedSet<Joiner> first;
    private final Joiner cut;
    private final int most;
    private final boolean isRevoked;

    private Joins(SortedSet<Joiner> first, Joiner cut, int most, boolean isRevoked) {
        this.first = Collections.unmodifiableSortedSet(first);
        this.cut = cut;
        this.most = most;
        this.isRevoked = isRevoked;
    }

    /**
     * Returns the value of a member that knows these joiners.
     *
     * @param isRevoked whether its world is revoked
     */
    public static Joins of(Collection<Joiner> known, int most, boolean isRevoked) {
        return fitting(new TreeSet<>(known), null, most, isRevoked);
    }

    private static Joins fitting(SortedSet<Joiner> joiners, Joiner cut, int most, boolean isRevoked) {
        int length = 0;
        for (Joiner joiner : joiners) {
            boolean isBehindTheCut = cut != null && joiner.compareTo(cut) >= 0;
            length += joiner.lengthBytes();
            if (isBehindTheCut || length > MAX_BYTES) {
                SortedSet<Joiner> fit = new TreeSet<>(joiners.headSet(joiner));
                return new Joins(fit, isBehindTheCut ? cut : joiner, most, isRevoked);
            }
        }
        return new Joins(joiners, cut, most, isRevoked);
    }

    /**
     * The joiners that are named. Two of them may have one nonce, if members were told different things about that
     * process.
     */
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

    /**
     * Whether some member knows that the world is revoked. Then all members need a new world, even one of the same
     * members.
     */
    public boolean isRevoked() {
        return isRevoked;
    }

    @Override
    public Iterator<Joiner> iterator() {
        return first.iterator();
    }

    public boolean isNone() {
        return first.isEmpty() && cut == null && most == NO_LIMIT && !isRevoked;
    }

    public Joins combine(Joins other) {
        if (other.isNone() || isNone()) {
            return isNone() ? other : this;
        }
        SortedSet<Joiner> all = new TreeSet<>(first);
        all.addAll(other.first);
        Joiner earlier = cut == null || other.cut != null && other.cut.compareTo(cut) < 0 ? other.cut : cut;
        return fitting(all, earlier, Math.min(most, other.most), isRevoked || other.isRevoked);
    }

    void writeTo(WireWriter out) {
        out.putInt(most)
                .putByte((cut == null ? 0 : CUT) | (isRevoked ? REVOKED : 0))
                .putInt(first.size());
        for (Joiner joiner : first) {
            joiner.writeTo(out);
        }
        if (cut != null) {
            cut.writeTo(out);
        }
    }

    static Joins readFrom(WireReader in) {
        int most = in.getInt();
        int bits = in.getByte();
        int count = in.getInt();
        in.requireCount(count, Joiner.LEAST_BYTES, "joiners");
        SortedSet<Joiner> joiners = new TreeSet<>();
        for (int i = 0; i < count; i++) {
            add(Joiner.readFrom(in), joiners);
        }
        Joiner cut = (bits & CUT) == 0 ? null : Joiner.readFrom(in);
        Joins joins = fitting(joiners, cut, most, (bits & REVOKED) != 0);
        if (most < 1
                || bits > (CUT | REVOKED)
                || joins.first.size() != count
                || joins.isNone()
                || joins.isCutTooEarly()) {
            throw new WireFormatException(count + " joiners of more than " + MAX_BYTES + " bytes, behind the cut "
                    + joins.cut + " or with room for it, or none, for a world of " + most);
        }
        return joins;
    }

    /**
     * Whether the cut would fit behind the named joiners. No value that was made of a set of joiners is like that, so
     * such a message is refused.
     */
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
                && most == that.most
                && isRevoked == that.isRevoked;
    }

    @Override
    public int hashCode() {
        return 31 * first.hashCode() + most;
    }

    @Override
    public String toString() {
        return isNone()
                ? "{}"
                : first + (cut == null ? "" : " cut at " + cut) + " most " + most + (isRevoked ? " revoked" : "");
    }
}
