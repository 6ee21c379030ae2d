package org.ulfmj.runtime.reduction;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.transport.Payload;

/**
 * Combines a chunk of all ranks' vectors at one rank: in heap arrays where that is faster, else in the buffers. Used by
 * one thread at a time.
 */
public final class VectorFold {
    /** The length in bytes of the longest chunk that is combined at once. */
    public static final int CHUNK_BYTES = TreeFold.CHUNK_BYTES;

    /** The least length in bytes of a vector that is combined in arrays. */
    private static final int ARRAY_BYTES = 512;

    private final TreeFold fold;
    private final ArrayFold arrayFold;

    private final ByteBuffer own =
            ByteBuffer.allocateDirect(TreeFold.CHUNK_BYTES).order(ByteOrder.nativeOrder());

    private final ByteBuffer combined =
            ByteBuffer.allocateDirect(TreeFold.CHUNK_BYTES).order(ByteOrder.nativeOrder());

    public VectorFold(int ranks) {
        this.fold = new TreeFold(ranks);
        this.arrayFold = new ArrayFold(ranks);
    }

    /** Whether a vector of this many bytes is combined in arrays by this operator. */
    public static boolean isForArrays(Reduction operator, int bytes) {
        return bytes >= ARRAY_BYTES && operator instanceof ArrayReduction;
    }

    /** Notes that all contributions lie in buffers, and none in the program's memory. */
    public void ownNothing() {
        arrayFold.ownNothing();
    }

    /**
     * Sets the contribution of this rank, which lies in the program's memory.
     *
     * @param inArrays whether the chunk is combined in heap arrays
     * @param at the byte of {@code send} at which the chunk begins
     */
    public void own(boolean inArrays, int rank, Payload send, int at, int bytes) {
        if (inArrays) {
            arrayFold.own(rank, send, at);
        } else {
            send.copyOut(at, own.clear().limit(bytes));
            fold.source(rank, own.flip());
        }
    }

    /** Sets the contribution of a rank: the bytes of a buffer from its position on. */
    public void source(boolean inArrays, int rank, ByteBuffer from) {
        if (inArrays) {
            arrayFold.source(rank, from);
        } else {
            fold.source(rank, from);
        }
    }

    /** Drops the references to all contributions. All of them must be set again before the next chunk. */
    public void forget() {
        fold.forget();
        arrayFold.forget();
    }

    /**
     * Combines a chunk of all contributions that were set, and then writes the result to the program's memory.
     *
     * @param length in bytes, at most {@link TreeFold#CHUNK_BYTES}
     */
    public void foldTo(boolean inArrays, Reduction operator, int width, int length, Payload result, int at) {
        if (inArrays) {
            ArrayReduction arrays = (ArrayReduction) operator;
            Object folded = arrayFold.fold(arrays, width, length);
            if (!arrays.store(folded, length / width, result, at)) {
                arrays.store(folded, length / width, combined.clear());
                result.copyIn(at, combined.flip());
            }
        } else {
            fold.fold(operator, width, length, combined.clear().limit(length));
            result.copyIn(at, combined);
        }
    }

    /**
     * Combines a chunk of the other ranks' contributions, which lie in buffers and were set before, and of this rank's,
     * which lies in the program's memory.
     *
     * @param at the byte of {@code send} and {@code receive} at which the chunk begins
     * @param result gets the combined chunk
     * @param receive gets the combined chunk too, unless null
     */
    public void foldWithOwn(
            boolean inArrays,
            Reduction operator,
            int width,
            int ownRank,
            Payload send,
            int at,
            ByteBuffer result,
            Payload receive) {
        int bytes = result.remaining();
        own(inArrays, ownRank, send, at, bytes);
        if (inArrays) {
            ArrayReduction arrays = (ArrayReduction) operator;
            Object folded = arrayFold.fold(arrays, width, bytes);
            int count = bytes / width;
            int position = result.position();
            arrays.store(folded, count, result);
            if (receive != null && !arrays.store(folded, count, receive, at)) {
                receive.copyIn(at, result.position(position));
            }
            return;
        }
        fold.fold(operator, width, bytes, result);
        if (receive != null) {
            receive.copyIn(at, result);
        }
    }
}
