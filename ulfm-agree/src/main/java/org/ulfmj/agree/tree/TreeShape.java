package org.ulfmj.agree.tree;

/**
 * Which tree the members of an agreement form, by their places in the list of those that take part: pure arithmetic,
 * the same at every rank. Every parent comes before its children, and place 0 is the root; what happens when a process
 * fails is {@link AgreementTree}'s.
 */
public interface TreeShape {
    /**
     * A heap with sixteen children each: up to seventeen members are a star, where a value is one hop away from the
     * root and a decision one hop back. What counts there is how often one rank waits for another to have its turn on a
     * core, and not the few messages that the root handles one after the other; and still no rank has work that grows
     * with their number.
     */
    TreeShape WIDE = heap(16);

    /** A heap: two children each, so that both the depth and what any one rank does grow as slowly as they can. */
    TreeShape BINARY = heap(2);

    /**
     * A heap with at most this many children each.
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
