package org.ulfmj.protocol;

import java.util.Arrays;

/**
 * An immutable, sorted set of slots. The set of all slots is the constant {@link #ALL}, which has no list: so a rank
 * can say that it has acknowledged every failure without naming the members.
 */
public final class SlotSet {
    /** The set without a slot. */
    public static final SlotSet EMPTY = new SlotSet(new int[0]);

    /** The set of every slot there is. */
    public static final SlotSet ALL = new SlotSet(null);

    /** The slots, ascending and distinct; null for {@link #ALL}. */
    private final int[] slots;

    private SlotSet(int[] slots) {
        this.slots = slots;
    }

    /** The set of the given slots, in any order, repeated or not. */
    public static SlotSet of(int... slots) {
        if (slots.length == 0) {
            return EMPTY;
        }
        int[] sorted = slots.clone();
        Arrays.sort(sorted);
        int count = 1;
        for (int i = 1; i < sorted.length; i++) {
            if (sorted[i] != sorted[count - 1]) {
                sorted[count++] = sorted[i];
            }
        }
        return new SlotSet(Arrays.copyOf(sorted, count));
    }

    public boolean isAll() {
        return slots == null;
    }

    public boolean isEmpty() {
        return slots != null && slots.length == 0;
    }

    /** Number of slots; throws for {@link #ALL}. */
    public int size() {
        return finite().length;
    }

    public boolean contains(int slot) {
        return slots == null || Arrays.binarySearch(slots, slot) >= 0;
    }

    /** Whether every slot of {@code other} is in this set. */
    public boolean containsAll(SlotSet other) {
        if (slots == null) {
            return true;
        }
        if (other.slots == null) {
            return false;
        }
        for (int slot : other.slots) {
            if (!contains(slot)) {
                return false;
            }
        }
        return true;
    }

    public SlotSet with(int slot) {
        if (slots == null) {
            return this;
        }
        int found = Arrays.binarySearch(slots, slot);
        if (found >= 0) {
            return this;
        }
        int place = -found - 1;
        int[] more = new int[slots.length + 1];
        System.arraycopy(slots, 0, more, 0, place);
        more[place] = slot;
        System.arraycopy(slots, place, more, place + 1, slots.length - place);
        return new SlotSet(more);
    }

    /** This set without one slot; throws for {@link #ALL}. */
    public SlotSet without(int slot) {
        return contains(slot) ? minus(new SlotSet(new int[] {slot})) : this;
    }

    public SlotSet union(SlotSet other) {
        if (slots == null || other.slots == null) {
            return ALL;
        }
        if (slots.length == 0) {
            return other;
        }
        if (containsAll(other)) {
            return this;
        }
        return new SlotSet(merge(slots, other.slots));
    }

    private static int[] merge(int[] one, int[] other) {
        int[] merged = new int[one.length + other.length];
        int count = 0;
        int i = 0;
        int j = 0;
        while (i < one.length && j < other.length) {
            int next = Math.min(one[i], other[j]);
            i += one[i] == next ? 1 : 0;
            j += other[j] == next ? 1 : 0;
            merged[count++] = next;
        }
        while (i < one.length) {
            merged[count++] = one[i++];
        }
        while (j < other.length) {
            merged[count++] = other[j++];
        }
        return count == merged.length ? merged : Arrays.copyOf(merged, count);
    }

    public SlotSet intersection(SlotSet other) {
        if (slots == null) {
            return other;
        }
        if (other.slots == null) {
            return this;
        }
        return filter(other, true);
    }

    /** The slots of this set that are not in {@code other}; throws for {@link #ALL} minus a finite set. */
    public SlotSet minus(SlotSet other) {
        if (other.slots == null) {
            return EMPTY;
        }
        finite();
        return filter(other, false);
    }

    private SlotSet filter(SlotSet other, boolean keepIfPresent) {
        int count = 0;
        while (count < slots.length && other.contains(slots[count]) == keepIfPresent) {
            count++;
        }
        if (count == slots.length) {
            return this;
        }
        int[] kept = new int[slots.length];
        count = 0;
        for (int slot : slots) {
            if (other.contains(slot) == keepIfPresent) {
                kept[count++] = slot;
            }
        }
        return count == 0 ? EMPTY : new SlotSet(Arrays.copyOf(kept, count));
    }

    /** The slot at an index of the ascending order, 0 ≤ index &lt; {@link #size}. Throws for {@link #ALL}. */
    public int slot(int index) {
        return finite()[index];
    }

    /** The slots, ascending; a copy. Throws for {@link #ALL}. */
    public int[] toArray() {
        return finite().clone();
    }

    private int[] finite() {
        if (slots == null) {
            throw new IllegalStateException("the set of all slots has no list");
        }
        return slots;
    }

    public void writeTo(WireWriter out) {
        if (slots == null) {
            out.putInt(-1);
            return;
        }
        out.putInt(slots.length);
        for (int slot : slots) {
            out.putInt(slot);
        }
    }

    /** Reads what {@link #writeTo} wrote; throws {@link WireFormatException} if the next bytes are no set. */
    public static SlotSet readFrom(WireReader in) {
        int count = in.getInt();
        if (count == -1) {
            return ALL;
        }
        in.requireCount(count, Integer.BYTES, "slots");
        int[] slots = new int[count];
        for (int i = 0; i < count; i++) {
            slots[i] = in.getInt();
            if (slots[i] < 0 || (i > 0 && slots[i] <= slots[i - 1])) {
                throw new WireFormatException("slots of a set must ascend from 0, got " + slots[i]);
            }
        }
        return count == 0 ? EMPTY : new SlotSet(slots);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SlotSet that && Arrays.equals(slots, that.slots);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(slots);
    }

    /** For example {@code {1,4}}, or {@code {all}}. */
    @Override
    public String toString() {
        if (slots == null) {
            return "{all}";
        }
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < slots.length; i++) {
            text.append(i == 0 ? "" : ",").append(slots[i]);
        }
        return text.append('}').toString();
    }
}
