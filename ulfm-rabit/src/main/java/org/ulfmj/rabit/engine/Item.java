package org.ulfmj.rabit.engine;

/**
 * One thing that a rank may lack.
 *
 * @param number of a result, its number; of a local model, the slot of its owner; of a spilled file, its version; 0 for
 *     the global model
 */
public record Item(Kind kind, long number) implements Comparable<Item> {
    /** The kinds, in the order in which items are sent. */
    public enum Kind {
        BOOTSTRAP,
        CHECKPOINT,
        LOCAL,
        RESULT,
        /** The content of a rank's spilled file: models and results of the bootstrap phase. */
        SPILLED
    }

    @Override
    public int compareTo(Item other) {
        int byKind = kind.compareTo(other.kind);
        return byKind != 0 ? byKind : Long.compare(number, other.number);
    }
}
