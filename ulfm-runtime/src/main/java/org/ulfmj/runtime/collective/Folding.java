package org.ulfmj.runtime.collective;

/**
 * Any number of ranks as a power of two: the first ranks fold into pairs (0 1) (2 3) …, as many pairs as there are
 * ranks beyond that power, each represented by one of its two ranks; pairs and single ranks are numbered 0 to 2^k − 1
 * in rank order.
 *
 * <p>{@link ReduceSchedule}, {@link AllReduceSchedule} and {@link ReduceScatterSchedule} combine along one binary tree
 * over these numbers, whose nodes are aligned blocks of them: block {@code [a, a + 2^j)} with {@code [a + 2^j, a +
 * 2^(j+1))}. A block is a contiguous run of ranks, so operators that are not commutative are served too, and the bits
 * of a result depend neither on the algorithm nor on the root.
 */
final class Folding {
    private int pairs;
    private int root;
    private int numbers;

    /**
     * Sets the folding of an operation. The root represents its pair; other pairs are represented by their lower rank.
     */
    Folding of(int size, int newRoot) {
        numbers = Integer.highestOneBit(size);
        pairs = size - numbers;
        root = newRoot;
        return this;
    }

    /** Returns how many numbers there are: the largest power of two that is not above the number of ranks. */
    int numbers() {
        return numbers;
    }

    int number(int rank) {
        return rank < 2 * pairs ? rank / 2 : rank - pairs;
    }

    /** The rank that represents a number: one rank of a pair, or a single rank. */
    int representative(int number) {
        if (number >= pairs) {
            return number + pairs;
        }
        return root / 2 == number ? root : 2 * number;
    }

    boolean isRepresentative(int rank) {
        return representative(number(rank)) == rank;
    }

    /** The other rank of this rank's pair; −1 for a rank that is in no pair. */
    int partner(int rank) {
        return rank < 2 * pairs ? rank ^ 1 : -1;
    }
}
