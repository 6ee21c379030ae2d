package org.ulfmj.agree.tree;

/**
 * The tree that the members of an agreement form, by their places in the list of those that take part; the same at
 * every rank. Every parent comes before its children, and place 0 is the root. {@link AgreementTree} handles failures.
 */
public interface TreeShape {
    /**
     * A heap with sixteen children per place. Up to seventeen members form a star, where a value is one hop away from
     * the root and a decision one hop back. No place has more than sixteen children, however many members there are.
     */
    TreeShape WIDE = heap(16);

    /**
     * A heap with two children per place: the depth grows with the logarithm of the members, the work of each rank not
     * at all.
     */
    TreeShape BINARY = heap(2);

    /**
     * A heap with at most {@code fanOut} children per place.
     *
     * @param fanOut at least 1
     */
    static TreeShape heap(int fanOut) {
        if (fanOut < 1) {
            throw new IllegalArgumentException("fan-out (" + fanOut + ") must be at least 1");
        }
        return new HeapShape(fanOut);
    }

    /** The parent of a place above 0; lower than the place. */
    int parent(int place);

    /** All places below {@code size} whose parent is {@code place}, in any order. */
    int[] children(int place, int size);
}
