package mpi;

/**
 * Where each rank's part lies in a buffer, in items of its datatype: MPI's counts and displacements. It belongs to one
 * buffer argument ({@link Side}) and is set for one call after the other.
 */
final class Layout {
    private int size;
    private int[] counts;
    private int[] displacements;
    /** Room for displacements that no program gave. */
    private int[] room = {};

    /** Sets a part for each rank, at any place; the arrays may be longer than there are ranks. */
    Layout at(int newSize, int[] newCounts, int[] newDisplacements) {
        size = newSize;
        counts = newCounts;
        displacements = newDisplacements;
        return this;
    }

    /** Sets a part of {@code newCounts[r]} items for each rank r, in rank order without gaps. */
    Layout packed(int newSize, int[] newCounts) {
        if (room.length < newSize) {
            room = new int[newSize];
        }
        for (int rank = 1; rank < newSize; rank++) {
            room[rank] = room[rank - 1] + newCounts[rank - 1];
        }
        return at(newSize, newCounts, room);
    }

    /** Lets go of the program's arrays. */
    void clear() {
        counts = null;
        displacements = null;
    }

    int size() {
        return size;
    }

    int[] counts() {
        return counts;
    }

    int[] displacements() {
        return displacements;
    }

    int at(int rank) {
        return displacements[rank];
    }

    int count(int rank) {
        return counts[rank];
    }

    /** Whether the parts that have items lie in rank order without gaps, from item 0 on. */
    boolean isPacked() {
        long end = 0;
        for (int rank = 0; rank < size; rank++) {
            if (counts[rank] > 0 && displacements[rank] != end) {
                return false;
            }
            end += counts[rank];
        }
        return true;
    }

    /** Two parts with an item in common; null if there are none. */
    Overlap overlap() {
        return isAscending() ? null : Overlap.of(size, this::at, part -> (long) at(part) + count(part));
    }

    /** Whether each part that has items begins at or behind the end of all parts before it, as is usual. */
    private boolean isAscending() {
        long end = Long.MIN_VALUE;
        for (int rank = 0; rank < size; rank++) {
            if (counts[rank] > 0) {
                if (displacements[rank] < end) {
                    return false;
                }
                end = (long) displacements[rank] + counts[rank];
            }
        }
        return true;
    }

    /** Items of all parts together. */
    long total() {
        long total = 0;
        for (int rank = 0; rank < size; rank++) {
            total += counts[rank];
        }
        return total;
    }

    /** The first item behind all parts; 0 if no part has items. */
    long end() {
        long end = 0;
        for (int rank = 0; rank < size; rank++) {
            if (counts[rank] > 0) {
                end = Math.max(end, (long) displacements[rank] + counts[rank]);
            }
        }
        return end;
    }
}
