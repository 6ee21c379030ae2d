package org.ulfmj.protocol;

/**
 * One process: its slot in the world and which process of that slot it is.
 *
 * <p>A slot keeps its number for the whole job; a replacement takes the slot with the next incarnation. A failure is
 * therefore always a failure of a (slot, incarnation) and never of a rank number.
 *
 * @param slot stable world rank, from 0
 * @param incarnation 0 for the first process of the slot
 */
public record ProcessId(int slot, int incarnation) implements Comparable<ProcessId> {
    public ProcessId {
        if (slot < 0) {
            throw new IllegalArgumentException("slot " + slot + " is negative");
        }
        if (incarnation < 0) {
            throw new IllegalArgumentException("incarnation " + incarnation + " is negative");
        }
    }

    /** The first process of a slot. */
    public static ProcessId of(int slot) {
        return new ProcessId(slot, 0);
    }

    @Override
    public int compareTo(ProcessId other) {
        int bySlot = Integer.compare(slot, other.slot);
        return bySlot != 0 ? bySlot : Integer.compare(incarnation, other.incarnation);
    }

    /**
     * Compares the two fields: the {@code equals} that the compiler generates for a record is linked at its first call,
     * which would delay a starting rank.
     */
    @Override
    public boolean equals(Object other) {
        return other instanceof ProcessId that && slot == that.slot && incarnation == that.incarnation;
    }

    @Override
    public int hashCode() {
        return 31 * slot + incarnation;
    }

    /** {@code 3} for a first process, {@code 3'1} for the first replacement of slot 3. */
    @Override
    public String toString() {
        return incarnation == 0 ? Integer.toString(slot) : slot + "'" + incarnation;
    }
}
