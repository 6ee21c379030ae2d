package mpi;

/** Where each rank's part lies in a buffer, in items of its datatype: MPI's counts and displacements. Immutable. */
record Layout(int size, int[] counts, int[] displacements) {
    /** A part for each rank, at any place; the arrays may be longer than there are ranks. */
    static Layout at(int size, int[] counts, int[] displacements) {
        return new Layout(size, counts, displacements);
    }

    /** A part of {@code counts[r]} items for each rank r, in rank order without gaps. */
    static Layout packed(int size, int[] counts) {
        int[] displacements = new int[size];
        for (int rank = 1; rank < size; rank++) {
            displacements[rank] = displacements[rank - 1] + counts[rank - 1];
        }
        return new Layout(size, counts, displacements);
    }

    int at(int rank) {
        return displacements[rank];
    }

    int count(int rank) {
        return counts[rank];
    }

    /** Whether parts follow each other in rank order without gaps. */
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

    /** Whether each part begins behind all parts before it, as nearly all do. */
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

    /** The first item behind all parts. */
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
