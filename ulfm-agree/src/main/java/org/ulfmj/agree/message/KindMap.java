package org.ulfmj.agree.message;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A number for each of a few kinds; immutable. Nearly every agreement is of one kind, so a bit mask and an array take
 * the place of a tree map, which would be made, copied and walked for each message. Inside this package the numbers are
 * read without boxing.
 */
public final class KindMap extends AbstractMap<Kind, Integer> implements SortedMap<Kind, Integer> {
    // Declared before EMPTY, whose constructor reads it.
    private static final Kind[] KINDS = Kind.values();

    /** The map without a kind. */
    public static final KindMap EMPTY = new KindMap(0, new int[0]);

    /** A bit for each kind that the map has, at the kind's ordinal. */
    private final int mask;

    /** The values, in the order of the kinds. */
    private final int[] values;

    /** @param values one value for each bit of {@code mask}, from the lowest bit on; not to be changed any more */
    public KindMap(int mask, int[] values) {
        if (Integer.bitCount(mask) != values.length || mask >>> KINDS.length != 0) {
            throw new IllegalArgumentException(values.length + " values for the kinds " + Integer.toBinaryString(mask));
        }
        this.mask = mask;
        this.values = values;
    }

    public static KindMap of(Kind kind, int value) {
        return new KindMap(1 << kind.ordinal(), new int[] {value});
    }

    public static KindMap of(SortedMap<Kind, Integer> source) {
        if (source instanceof KindMap same) {
            return same;
        }
        int mask = 0;
        int[] values = new int[source.size()];
        for (Map.Entry<Kind, Integer> entry : new TreeMap<>(source).entrySet()) {
            values[Integer.bitCount(mask)] = entry.getValue();
            mask |= 1 << entry.getKey().ordinal();
        }
        return new KindMap(mask, values);
    }

    /** A bit for each kind that the map has, at the kind's ordinal. */
    public int mask() {
        return mask;
    }

    public boolean has(int kind) {
        return (mask >>> kind & 1) != 0;
    }

    /** The value of a kind that the map has, by the kind's ordinal. */
    public int valueOf(int kind) {
        return values[Integer.bitCount(mask & (1 << kind) - 1)];
    }

    @Override
    public int size() {
        return values.length;
    }

    @Override
    public boolean containsKey(Object key) {
        return key instanceof Kind kind && has(kind.ordinal());
    }

    @Override
    public Integer get(Object key) {
        return containsKey(key) ? valueOf(((Kind) key).ordinal()) : null;
    }

    @Override
    public Kind firstKey() {
        return key(Integer.numberOfTrailingZeros(mask));
    }

    @Override
    public Kind lastKey() {
        return key(Integer.SIZE - 1 - Integer.numberOfLeadingZeros(mask));
    }

    private Kind key(int kind) {
        if (mask == 0) {
            throw new NoSuchElementException("no kind is in it");
        }
        return KINDS[kind];
    }

    @Override
    public Comparator<? super Kind> comparator() {
        return null;
    }

    @Override
    public SortedMap<Kind, Integer> subMap(Kind from, Kind to) {
        return sorted().subMap(from, to);
    }

    @Override
    public SortedMap<Kind, Integer> headMap(Kind to) {
        return sorted().headMap(to);
    }

    @Override
    public SortedMap<Kind, Integer> tailMap(Kind from) {
        return sorted().tailMap(from);
    }

    private SortedMap<Kind, Integer> sorted() {
        return Collections.unmodifiableSortedMap(new TreeMap<Kind, Integer>((Map<Kind, Integer>) this));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KindMap that
                ? mask == that.mask && Arrays.equals(values, that.values)
                : super.equals(other);
    }

    /** The hash code of any map with these entries. */
    @Override
    public int hashCode() {
        return super.hashCode();
    }

    @Override
    public Set<Map.Entry<Kind, Integer>> entrySet() {
        return new Entries();
    }

    private final class Entries extends AbstractSet<Map.Entry<Kind, Integer>> {
        @Override
        public int size() {
            return values.length;
        }

        @Override
        public Iterator<Map.Entry<Kind, Integer>> iterator() {
            return new InOrder();
        }
    }

    private final class InOrder implements Iterator<Map.Entry<Kind, Integer>> {
        private int left = mask;
        private int index;

        @Override
        public boolean hasNext() {
            return left != 0;
        }

        @Override
        public Map.Entry<Kind, Integer> next() {
            if (left == 0) {
                throw new NoSuchElementException("no more kinds");
            }
            Kind kind = KINDS[Integer.numberOfTrailingZeros(left)];
            left &= left - 1;
            return Map.entry(kind, values[index++]);
        }
    }
}
