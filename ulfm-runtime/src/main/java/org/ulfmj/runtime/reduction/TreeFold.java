package org.ulfmj.runtime.reduction;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.ulfmj.transport.ByteCopy;

/**
 * Combines what all ranks contributed, at one rank, along the tree by which all reductions but scans combine
 * (docs/inside/collectives.md). If the number of ranks is no power of two, the first ranks are combined in pairs until
 * a power of two of leaves is left; then neighbouring leaves are combined, then neighbouring pairs of leaves, and so
 * on, the lower ranks always as the left operand. So the bits of the result do not depend on which rank combines, nor
 * on whether messages or shared memory carried the contributions.
 *
 * <p>Contributions are only read. Each is a buffer from its position on.
 */
final class TreeFold {
    static final int CHUNK_BYTES = 4096;

    private final int pairs;
    private final int numbers;
    private final ByteBuffer[] sources;
    private final ByteBuffer[] levels;

    private Reduction reduction;
    private int elements;
    private int bytes;
    private ByteBuffer top;

    TreeFold(int ranks) {
        this.numbers = Integer.highestOneBit(ranks);
        this.pairs = ranks - numbers;
        this.sources = new ByteBuffer[ranks];
        this.levels = new ByteBuffer[Integer.numberOfTrailingZeros(numbers) + 1];
        for (int level = 1; level < levels.length; level++) {
            levels[level] = ByteBuffer.allocateDirect(CHUNK_BYTES).order(ByteOrder.nativeOrder());
        }
    }

    /** Sets the contribution of a rank: a buffer from its position on, which is kept and read by {@link #fold}. */
    void source(int rank, ByteBuffer from) {
        sources[rank] = from;
    }

    /** Lets go of all contributions. */
    void forget() {
        Arrays.fill(sources, null);
    }

    /**
     * Combines the first {@code length} bytes of all contributions, none of which overlaps {@code result}.
     *
     * @param length at most {@link #CHUNK_BYTES}, whole elements
     * @param result is written from its position, which stays, to its limit
     */
    void fold(Reduction operator, int width, int length, ByteBuffer result) {
        reduction = operator;
        elements = length / width;
        bytes = length;
        top = result;
        block(0, numbers, 0);
        top = null;
    }

    /**
     * Combines {@code count} leaves of the tree, from leaf number {@code first} on, and leaves the result in the buffer
     * of the given level.
     */
    private void block(int first, int count, int level) {
        if (count == 1) {
            leaf(first, level);
            return;
        }
        int half = count / 2;
        if (half == 1 && first >= pairs) {
            ByteBuffer lower = sources[first + pairs];
            reduction.apply(lower, sources[first + 1 + pairs], level(level), elements);
            return;
        }
        block(first + half, half, level);
        block(first, half, level + 1);
        reduction.apply(level(level + 1), level(level), elements);
    }

    private void leaf(int number, int level) {
        if (number < pairs) {
            reduction.apply(sources[2 * number], sources[2 * number + 1], level(level), elements);
        } else {
            ByteBuffer only = sources[number + pairs];
            ByteBuffer to = level(level);
            ByteCopy.copy(only, only.position(), to, to.position(), bytes);
        }
    }

    private ByteBuffer level(int level) {
        return level == 0 ? top : levels[level].clear().limit(bytes);
    }
}
