package org.ulfmj.agree.message;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * What participants of an agreement wrote to each other, by slot; immutable, and equal by content. Most agreements have
 * none, and share {@link #NONE}.
 */
public final class Notes extends AbstractMap<Integer, byte[]> implements SortedMap<Integer, byte[]> {
    public static final Notes NONE = new Notes(SlotSet.EMPTY, new byte[0][]);

    /** The most bytes of all notes of one agreement together: half of what fits into a message. */
    public static final int MAX_TOTAL_BYTES = ControlCodec.MAX_BYTES / 2;

    private static final int LEAST_BYTES = 2 * Integer.BYTES;

    private final SlotSet slots;

    /** The notes, in the order of the slots. */
    private final byte[][] texts;

    private Notes(SlotSet slots, byte[][] texts) {
        this.slots = slots;
        this.texts = texts;
    }

    public static Notes of(int slot, byte[] text) {
        return text == null ? NONE : new Notes(SlotSet.of(slot), new byte[][] {text});
    }

    public static Notes of(SortedMap<Integer, byte[]> source) {
        if (source instanceof Notes same) {
            return same;
        }
        SlotSet slots = SlotSet.EMPTY;
        for (int slot : source.keySet()) {
            slots = slots.with(slot);
        }
        return source.isEmpty() ? NONE : new Notes(slots, source.values().toArray(new byte[0][]));
    }

    /**
     * Checks the length of a note. Every member may write one of this length.
     *
     * @throws IllegalArgumentException if notes of this length from all members would have more than
     *     {@link #MAX_TOTAL_BYTES}, with eight bytes more for each
     */
    public static void requireFits(byte[] text, int members) {
        if (text != null && text.length > mostBytes(members)) {
            throw new IllegalArgumentException("a note of " + text.length + " bytes in an agreement of " + members
                    + "; at most " + mostBytes(members) + " are allowed");
        }
    }

    /** The most bytes per note, for this number of members. */
    public static int mostBytes(int members) {
        return MAX_TOTAL_BYTES / members - LEAST_BYTES;
    }

    /**
     * Returns the notes of both. If both have a note for the same slot, the two notes are equal, because no process
     * writes twice.
     */
    public Notes union(Notes other) {
        if (other == this || other.slots.isEmpty()) {
            return this;
        }
        if (slots.isEmpty()) {
            return other;
        }
        SlotSet all = slots.union(other.slots);
        byte[][] merged = new byte[all.size()][];
        int mine = 0;
        int theirs = 0;
        for (int i = 0; i < merged.length; i++) {
            int slot = all.slot(i);
            boolean isTheirs = theirs < other.texts.length && other.slots.slot(theirs) == slot;
            boolean isMine = mine < texts.length && slots.slot(mine) == slot;
            merged[i] = isMine ? texts[mine] : other.texts[theirs];
            mine += isMine ? 1 : 0;
            theirs += isTheirs ? 1 : 0;
        }
        return new Notes(all, merged);
    }

    public void writeTo(WireWriter out) {
        out.putInt(texts.length);
        for (int i = 0; i < texts.length; i++) {
            out.putInt(slots.slot(i)).putBlob(texts[i]);
        }
    }

    /** Reads notes. Throws if there is none. */
    public static Notes readFrom(WireReader in) {
        int count = in.getInt();
        in.requireCount(count, LEAST_BYTES, "notes");
        if (count == 0) {
            throw new WireFormatException("no notes");
        }
        int[] slots = new int[count];
        byte[][] texts = new byte[count][];
        for (int i = 0; i < count; i++) {
            slots[i] = in.getInt();
            if (slots[i] < 0 || (i > 0 && slots[i] <= slots[i - 1])) {
                throw new WireFormatException("notes must ascend, got one of slot " + slots[i]);
            }
            texts[i] = in.getBlob();
        }
        return new Notes(SlotSet.of(slots), texts);
    }

    @Override
    public int size() {
        return texts.length;
    }

    @Override
    public byte[] get(Object key) {
        if (!(key instanceof Integer slot) || !slots.contains(slot)) {
            return null;
        }
        int low = 0;
        int high = texts.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (slots.slot(middle) < slot) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return texts[low];
    }

    @Override
    public boolean containsKey(Object key) {
        return key instanceof Integer slot && slots.contains(slot);
    }

    @Override
    public Comparator<? super Integer> comparator() {
        return null;
    }

    @Override
    public SortedMap<Integer, byte[]> subMap(Integer from, Integer to) {
        return sorted().subMap(from, to);
    }

    @Override
    public SortedMap<Integer, byte[]> headMap(Integer to) {
        return sorted().headMap(to);
    }

    @Override
    public SortedMap<Integer, byte[]> tailMap(Integer from) {
        return sorted().tailMap(from);
    }

    private SortedMap<Integer, byte[]> sorted() {
        return new TreeMap<Integer, byte[]>((Map<Integer, byte[]>) this);
    }

    @Override
    public Integer firstKey() {
        return key(0);
    }

    @Override
    public Integer lastKey() {
        return key(texts.length - 1);
    }

    private int key(int index) {
        if (texts.length == 0) {
            throw new NoSuchElementException("no notes");
        }
        return slots.slot(index);
    }

    @Override
    public Set<Map.Entry<Integer, byte[]>> entrySet() {
        return new Entries();
    }

    /** Equality by content, which maps of arrays do not have. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Notes that && slots.equals(that.slots) && Arrays.deepEquals(texts, that.texts);
    }

    @Override
    public int hashCode() {
        return 31 * slots.hashCode() + Arrays.deepHashCode(texts);
    }

    @Override
    public String toString() {
        return texts.length == 0 ? "no notes" : "notes of " + slots;
    }

    private final class Entries extends AbstractSet<Map.Entry<Integer, byte[]>> {
        @Override
        public int size() {
            return texts.length;
        }

        @Override
        public Iterator<Map.Entry<Integer, byte[]>> iterator() {
            return new InOrder();
        }
    }

    private final class InOrder implements Iterator<Map.Entry<Integer, byte[]>> {
        private int index;

        @Override
        public boolean hasNext() {
            return index < texts.length;
        }

        @Override
        public Map.Entry<Integer, byte[]> next() {
            if (index == texts.length) {
                throw new NoSuchElementException("no more notes");
            }
            int now = index++;
            return Map.entry(slots.slot(now), texts[now]);
        }
    }
}
