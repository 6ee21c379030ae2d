package org.ulfmj.runtime.collective;

import java.util.Arrays;

/**
 * Where each rank's part lies in a packed buffer, in bytes: what MPI calls counts and displacements. Immutable. Parts
 * may have any length, also none, and any order; parts to be received that overlap are the caller's error.
 */
public final class Blocks {
    private final int size;
    private final int equalLength;
    private final int[] offsets;
    private final int[] lengths;

    private Blocks(int size, int equalLength, int[] offsets, int[] lengths) {
        this.size = size;
        this.equalLength = equalLength;
        this.offsets = offsets;
        this.lengths = lengths;
    }

    /**
     * Makes the blocks of one part of {@code lengthBytes} for each of {@code size} ranks, in rank order without gaps.
     */
    public static Blocks equal(int size, int lengthBytes) {
        if (lengthBytes < 0 || (long) size * lengthBytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    size + " blocks of " + lengthBytes + " bytes; a buffer holds 0 to " + Integer.MAX_VALUE + " bytes");
        }
        return new Blocks(size, lengthBytes, null, null);
    }

    /** Makes the blocks of parts with the given lengths in bytes, in rank order without gaps. */
    public static Blocks packed(int... lengthsBytes) {
        int[] offsets = new int[lengthsBytes.length];
        long end = 0;
        for (int rank = 0; rank < offsets.length; rank++) {
            offsets[rank] = (int) end;
            end += requireNotNegative(lengthsBytes[rank], rank);
            if (end > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("blocks of ranks 0 to " + rank + " need " + end
                        + " bytes; a buffer holds at most " + Integer.MAX_VALUE);
            }
        }
        return new Blocks(offsets.length, 0, offsets, lengthsBytes.clone());
    }

    /**
     * Makes the blocks of {@code size} ranks that all have the same part: {@code lengthBytes} bytes at the beginning of
     * the buffer.
     */
    public static Blocks same(int size, int lengthBytes) {
        int[] lengths = new int[size];
        Arrays.fill(lengths, requireNotNegative(lengthBytes, 0));
        return new Blocks(size, 0, new int[size], lengths);
    }

    /** Makes the blocks of parts at the given offsets with the given lengths, both in bytes. */
    public static Blocks at(int[] offsets, int[] lengthsBytes) {
        if (offsets.length != lengthsBytes.length) {
            throw new IllegalArgumentException(
                    offsets.length + " offsets for " + lengthsBytes.length + " lengths of blocks");
        }
        for (int rank = 0; rank < offsets.length; rank++) {
            requireNotNegative(lengthsBytes[rank], rank);
            if (offsets[rank] < 0) {
                throw new IllegalArgumentException("offset " + offsets[rank] + " of rank " + rank + " is negative");
            }
        }
        return new Blocks(offsets.length, 0, offsets.clone(), lengthsBytes.clone());
    }

    public int size() {
        return size;
    }

    public int offset(int rank) {
        return offsets == null ? rank * equalLength : offsets[rank];
    }

    public int length(int rank) {
        return lengths == null ? equalLength : lengths[rank];
    }

    /** Bytes of all parts together. */
    public long totalLength() {
        if (lengths == null) {
            return (long) size * equalLength;
        }
        long total = 0;
        for (int length : lengths) {
            total += length;
        }
        return total;
    }

    /**
     * Whether the parts follow each other in rank order without gaps, from the beginning of the buffer. Parts of no
     * bytes may lie anywhere.
     */
    public boolean isPacked() {
        long end = 0;
        for (int rank = 0; offsets != null && rank < size; rank++) {
            if (lengths[rank] > 0 && offsets[rank] != end) {
                return false;
            }
            end += lengths[rank];
        }
        return true;
    }

    /** Returns blocks of the same lengths that follow each other in rank order without gaps. */
    public Blocks withoutGaps() {
        return lengths == null ? this : packed(lengths);
    }

    private static int requireNotNegative(int length, int rank) {
        if (length < 0) {
            throw new IllegalArgumentException("length " + length + " of rank " + rank + " is negative");
        }
        return length;
    }
}
