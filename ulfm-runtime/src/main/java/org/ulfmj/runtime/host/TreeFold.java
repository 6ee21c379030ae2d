package org.ulfmj.runtime.host;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.runtime.Reduction;
import org.ulfmj.transport.ByteCopy;

/**
 * Combines what all ranks contributed, at one rank, along the tree by which all reductions combine (docs/collectives.md): first
 * ranks in pairs until a power of two is left, then blocks of two with blocks of two, the lower one always the left operand. So
 * the bits do not depend on who combines, nor on whether messages or shared memory carried the contributions.
 *
 * <p>Contributions are only read. Each is a buffer from its position on.
 */
final class TreeFold {
    static final int CHUNK_BYTES = 8192;

    private final int pairs;
    private final int numbers;
    private final ByteBuffer[] sources;
    private final ByteBuffer[] levels;

    private Reduction reduction;
    private int elementBytes;
    private int bytes;

    TreeFold(int ranks) {
        this.numbers = Integer.highestOneBit(ranks);
        this.pairs = ranks - numbers;
        this.sources = new ByteBuffer[ranks];
        this.levels = new ByteBuffer[Integer.numberOfTrailingZeros(numbers) + 1];
        for (int level = 0; level < levels.length; level++) {
            levels[level] = ByteBuffer.allocateDirect(CHUNK_BYTES).order(ByteOrder.nativeOrder());
        }
    }

    /** The contribution of a rank; kept and read by {@link #fold}. */
    void source(int rank, ByteBuffer from) {
        sources[rank] = from;
    }

    /**
     * The result of the first {@code length} bytes of all sources, from position to limit; it is overwritten by the next.
     *
     * @param length at most {@link #CHUNK_BYTES}, whole elements
     */
    ByteBuffer fold(Reduction operator, int width, int length) {
        reduction = operator;
        elementBytes = width;
        bytes = length;
        block(0, numbers, 0);
        return levels[0].clear().limit(length);
    }

    /** Leaves the result of {@code count} numbers from {@code first} on in a level. */
    private void block(int first, int count, int level) {
        if (count == 1) {
            leaf(first, level);
            return;
        }
        int half = count / 2;
        block(first + half, half, level);
        if (half == 1 && first >= pairs) {
            combine(sources[first + pairs], level);
        } else {
            block(first, half, level + 1);
            combine(levels[level + 1].clear(), level);
        }
    }

    private void leaf(int number, int level) {
        ByteBuffer higher = sources[number < pairs ? 2 * number + 1 : number + pairs];
        ByteCopy.copy(higher, higher.position(), levels[level].clear(), 0, bytes);
        if (number < pairs) {
            combine(sources[2 * number], level);
        }
    }

    private void combine(ByteBuffer lower, int level) {
        reduction.apply(lower, levels[level].clear(), bytes / elementBytes);
    }
}
