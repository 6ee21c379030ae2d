package org.ulfmj.protocol;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The ordered, distinct members of a communicator, as arithmetic runs of slots: rank r is the r-th slot. A world of a
 * million ranks, a half of it or every fourth rank is one run; an irregular list costs up to a run for two members.
 */
public final class SlotRuns {
    /** One run: {@code first, first + step, …}, {@code count} slots. */
    private record Run(int first, int step, int count, int rankOfFirst) {
        int slot(int index) {
            return first + step * index;
        }

        /**
         * Whether the other run has the same slots. Compares the fields by hand, because the {@code equals} that the
         * compiler generates for a record is slow until it is compiled. {@code rankOfFirst} is not compared, as it
         * follows from the counts of the runs before.
         */
        boolean isLike(Run other) {
            return first == other.first && step == other.step && count == other.count;
        }

        int indexOf(int slot) {
            if (step == 0) {
                return slot == first ? 0 : -1;
            }
            long distance = (long) slot - first;
            if (step == 1) {
                // A step of 1, the usual one, needs no division.
                return distance >= 0 && distance < count ? (int) distance : -1;
            }
            if (distance % step != 0) {
                return -1;
            }
            long index = distance / step;
            return index >= 0 && index < count ? (int) index : -1;
        }
    }

    private final Run[] runs;
    private final int size;

    private SlotRuns(Run[] runs, int size) {
        this.runs = runs;
        this.size = size;
    }

    /** Slots 0 to {@code size} − 1 in order. */
    public static SlotRuns range(int size) {
        // A run of one slot gets step 0, as {@code of} gives it, so that equal lists of slots consist of equal runs.
        return size == 0 ? of() : new SlotRuns(new Run[] {new Run(0, size == 1 ? 0 : 1, size, 0)}, size);
    }

    /** The given slots in the given order; throws if one is negative or named twice. */
    public static SlotRuns of(int... slots) {
        int[] sorted = slots.clone();
        Arrays.sort(sorted);
        for (int i = 0; i < sorted.length; i++) {
            if (sorted[i] < 0 || (i > 0 && sorted[i] == sorted[i - 1])) {
                throw new IllegalArgumentException("slot " + sorted[i] + " is negative or named twice");
            }
        }
        List<Run> runs = new ArrayList<>();
        for (int at = 0; at < slots.length; ) {
            int length = 1;
            int step = at + 1 < slots.length ? slots[at + 1] - slots[at] : 0;
            while (at + length < slots.length && slots[at + length] - slots[at + length - 1] == step) {
                length++;
            }
            runs.add(new Run(slots[at], length == 1 ? 0 : step, length, at));
            at += length;
        }
        return new SlotRuns(runs.toArray(new Run[0]), slots.length);
    }

    /** The number of runs that describe the members. */
    public int runCount() {
        return runs.length;
    }

    public int size() {
        return size;
    }

    /** The slot of a rank, 0 ≤ rank &lt; size. */
    public int slot(int rank) {
        if (rank < 0 || rank >= size) {
            throw new IndexOutOfBoundsException("rank " + rank + " of " + size);
        }
        int low = 0;
        int high = runs.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (runs[middle].rankOfFirst <= rank) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return runs[low].slot(rank - runs[low].rankOfFirst);
    }

    /** The rank of a slot; −1 if the slot is no member. */
    public int rank(int slot) {
        for (Run run : runs) {
            int index = run.indexOf(slot);
            if (index >= 0) {
                return run.rankOfFirst + index;
            }
        }
        return -1;
    }

    public boolean contains(int slot) {
        return rank(slot) >= 0;
    }

    /** The members that are not in {@code excluded}. They keep their order. */
    public SlotRuns without(SlotSet excluded) {
        if (excluded.isEmpty()) {
            return this;
        }
        int[] slots = toArray();
        int count = 0;
        for (int slot : slots) {
            if (!excluded.contains(slot)) {
                slots[count++] = slot;
            }
        }
        return of(Arrays.copyOf(slots, count));
    }

    /** The slots in rank order; a new array of {@link #size}. */
    public int[] toArray() {
        int[] slots = new int[size];
        int at = 0;
        for (Run run : runs) {
            for (int index = 0; index < run.count; index++) {
                slots[at++] = run.slot(index);
            }
        }
        return slots;
    }

    public void writeTo(WireWriter out) {
        out.putInt(runs.length);
        for (Run run : runs) {
            out.putInt(run.first).putInt(run.step).putInt(run.count);
        }
    }

    /**
     * Reads what {@link #writeTo} wrote. Throws {@link WireFormatException} for a run that is malformed and for more
     * than {@code maxSize} members, but does not check whether two runs have a slot in common.
     */
    public static SlotRuns readFrom(WireReader in, int maxSize) {
        int count = in.getInt();
        in.requireCount(count, 3 * Integer.BYTES, "runs");
        Run[] runs = new Run[count];
        int size = 0;
        for (int i = 0; i < count; i++) {
            int first = in.getInt();
            int step = in.getInt();
            int length = in.getInt();
            long last = first + (long) step * (length - 1L);
            if (first < 0 || last < 0 || last > Integer.MAX_VALUE || length < 1 || length > maxSize - size) {
                throw new WireFormatException("run of " + length + " slots from " + first + " by " + step);
            }
            if (length > 1 && step == 0) {
                throw new WireFormatException("run that repeats slot " + first);
            }
            runs[i] = new Run(first, step, length, size);
            size += length;
        }
        return new SlotRuns(runs, size);
    }

    @Override
    public boolean equals(Object other) {
        return other == this || other instanceof SlotRuns that && size == that.size && hasRunsOf(that);
    }

    private boolean hasRunsOf(SlotRuns that) {
        if (runs.length != that.runs.length) {
            return false;
        }
        for (int i = 0; i < runs.length; i++) {
            if (!runs[i].isLike(that.runs[i])) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(runs);
    }

    /** For example {@code [0..7]}, or {@code [0..6/2, 9]} for the slots 0, 2, 4, 6 and 9. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[");
        for (Run run : runs) {
            text.append(run.rankOfFirst == 0 ? "" : ", ").append(run.first);
            if (run.count > 1) {
                text.append("..").append(run.slot(run.count - 1)).append(run.step == 1 ? "" : "/" + run.step);
            }
        }
        return text.append(']').toString();
    }
}
