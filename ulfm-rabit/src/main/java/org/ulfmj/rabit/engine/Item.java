package org.ulfmj.rabit.engine;

/**
 * One thing that a rank may lack.
 *
 * @param number of a result; owner's slot of a local model; 0 for the global one
 */
public record Item(Kind kind, long number) implements Comparable<Item> {
    /** In the order in which they are sent. */
    public enum Kind {
        BOOTSTRAP,
        CHECKPOINT,
        LOCAL,
        RESULT,
        /** What a rank's spilled file has: model and results of the bootstrap phase. */
        SPILLED
    }

    @Override
    public int compareTo(Item other) {
        int byKind = kind.compareTo(other.kind);
        return byKind != 0 ? byKind : Long.compare(number, other.number);
    }
}
