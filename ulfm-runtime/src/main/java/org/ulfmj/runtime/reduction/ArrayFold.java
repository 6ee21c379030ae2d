package org.ulfmj.runtime.reduction;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.ulfmj.transport.Payload;

/**
 * Combines what all ranks contributed along the same tree as {@link TreeFold}, and so to the same bits, but in heap
 * arrays: each contribution is copied into an array once. If the contributions stayed in buffers, an operator that
 * works on arrays would take two copies into arrays and one back at each node of the tree.
 */
final class ArrayFold {
    private static final int NO_RANK = -1;

    private final int pairs;
    private final int numbers;
    private final int depth;
    private final ByteBuffer[] sources;
    /** Arrays by kind of elements, then by level of the tree; those of a kind are made when they are first needed. */
    private final Object[][] arrays = new Object[ArrayReduction.KINDS][];

    private final ByteBuffer staged =
            ByteBuffer.allocateDirect(TreeFold.CHUNK_BYTES).order(ByteOrder.nativeOrder());

    private int ownRank = NO_RANK;
    private Payload ownVector;
    private long ownAt;

    private ArrayReduction reduction;
    private Object[] levels;
    private int elements;
    private int bytes;

    ArrayFold(int ranks) {
        this.numbers = Integer.highestOneBit(ranks);
        this.pairs = ranks - numbers;
        this.sources = new ByteBuffer[ranks];
        // A leaf of the tree may be a pair of ranks, whose combination takes one more level of arrays.
        this.depth = Integer.numberOfTrailingZeros(numbers) + 2;
    }

    /** Sets the contribution of a rank: the bytes of the buffer from its position on. */
    void source(int rank, ByteBuffer from) {
        sources[rank] = from;
    }

    /** Sets the contribution of the rank whose vector is in the program's memory, from byte {@code at} on. */
    void own(int rank, Payload vector, long at) {
        ownRank = rank;
        ownVector = vector;
        ownAt = at;
    }

    /** Notes that all contributions lie in buffers, and none in the program's memory. */
    void ownNothing() {
        own(NO_RANK, null, 0);
    }

    /** Lets go of all contributions. */
    void forget() {
        Arrays.fill(sources, null);
        ownNothing();
    }

    /**
     * Combines the first {@code length} bytes of all contributions. The returned array holds the result until the next
     * fold.
     *
     * @param length at most {@link TreeFold#CHUNK_BYTES}, whole elements
     */
    Object fold(ArrayReduction operator, int width, int length) {
        reduction = operator;
        levels = levels(operator, width);
        elements = length / width;
        bytes = length;
        block(0, numbers, 0);
        return levels[0];
    }

    private Object[] levels(ArrayReduction operator, int width) {
        Object[] made = arrays[operator.kind()];
        if (made == null) {
            made = new Object[depth];
            for (int level = 0; level < depth; level++) {
                made[level] = operator.newArray(TreeFold.CHUNK_BYTES / width);
            }
            arrays[operator.kind()] = made;
        }
        return made;
    }

    /**
     * Combines {@code count} leaves of the tree, from leaf number {@code first} on, and leaves the result in the array
     * of the given level.
     */
    private void block(int first, int count, int level) {
        if (count == 1) {
            leaf(first, level);
            return;
        }
        int half = count / 2;
        block(first + half, half, level);
        block(first, half, level + 1);
        reduction.combine(levels[level + 1], levels[level], elements);
    }

    private void leaf(int number, int level) {
        if (number >= pairs) {
            load(number + pairs, level);
            return;
        }
        load(2 * number + 1, level);
        load(2 * number, level + 1);
        reduction.combine(levels[level + 1], levels[level], elements);
    }

    private void load(int rank, int level) {
        if (rank != ownRank) {
            reduction.load(sources[rank], levels[level], elements);
        } else if (!reduction.load(ownVector, ownAt, levels[level], elements)) {
            ownVector.copyOut(ownAt, staged.clear().limit(bytes));
            reduction.load(staged.flip(), levels[level], elements);
        }
    }
}
