package mpi;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/**
 * Two parts of a buffer that overlap, by their numbers. MPI forbids overlapping parts in a buffer that a collective
 * writes, because it would be chance which part's data is there in the end.
 */
record Overlap(int one, int other) {
    /**
     * Returns a pair of parts that overlap; null if there is none.
     *
     * @param size the number of parts
     * @param begin the first place of a part
     * @param end the place behind its last one; a part that ends where it begins overlaps none
     */
    static Overlap of(int size, IntToLongFunction begin, IntToLongFunction end) {
        Integer[] inOrder = IntStream.range(0, size)
                .filter(part -> begin.applyAsLong(part) < end.applyAsLong(part))
                .boxed()
                .toArray(Integer[]::new);
        Arrays.sort(inOrder, Comparator.comparingLong(begin::applyAsLong));
        for (int i = 1; i < inOrder.length; i++) {
            // The parts before this one do not overlap, so the last of them has the highest end.
            if (begin.applyAsLong(inOrder[i]) < end.applyAsLong(inOrder[i - 1])) {
                return new Overlap(Math.min(inOrder[i - 1], inOrder[i]), Math.max(inOrder[i - 1], inOrder[i]));
            }
        }
        return null;
    }
}
