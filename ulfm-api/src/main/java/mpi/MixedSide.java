package mpi;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.collective.Blocks;
import org.ulfmj.runtime.collective.CollectiveBuffer;
import org.ulfmj.transport.Payload;

/**
 * One buffer argument of a collective with a datatype for each rank. Its parts are packed, one after the other, into
 * memory of the rank's {@link StagingPool}. Made for one call. A call that fails does not {@link #release} the memory,
 * since late data may still be written there.
 */
final class MixedSide implements CollectiveBuffer {
    private final StagingPool pool;
    private final MixedParts parts;
    private final Blocks blocks;
    private final int totalBytes;
    private ByteBuffer bytes;

    MixedSide(StagingPool pool, MixedParts parts) {
        this.pool = pool;
        this.parts = parts;
        int[] lengths = new int[parts.size()];
        int total = 0;
        for (int rank = 0; rank < lengths.length; rank++) {
            lengths[rank] = parts.lengthBytes(rank);
            total += lengths[rank];
        }
        this.blocks = Blocks.packed(lengths);
        this.totalBytes = total;
    }

    @Override
    public Payload payload() {
        return null;
    }

    @Override
    public ByteBuffer packed() {
        if (bytes == null) {
            bytes = pool.acquire(totalBytes);
        }
        return bytes;
    }

    @Override
    public Blocks blocks() {
        return blocks;
    }

    @Override
    public void pack() {
        for (int rank = 0; rank < parts.size(); rank++) {
            packPart(rank);
        }
    }

    @Override
    public void packPart(int rank) {
        parts.payload(rank).copyOut(0, packed().slice(blocks.offset(rank), blocks.length(rank)));
    }

    @Override
    public void unpack() {
        for (int rank = 0; rank < parts.size(); rank++) {
            parts.payload(rank).copyIn(0, packed().slice(blocks.offset(rank), blocks.length(rank)));
        }
    }

    @Override
    public int bytesToUnpack() {
        return totalBytes;
    }

    @Override
    public int unpackPiece(int from, int mostBytes) {
        int rank = 0;
        while (from >= blocks.offset(rank) + blocks.length(rank)) {
            rank++;
        }
        int within = from - blocks.offset(rank);
        int length = Math.min(mostBytes, blocks.length(rank) - within);
        parts.payload(rank).copyIn(within, packed().slice(from, length));
        return from + length;
    }

    /** Gives the memory back to the pool after a call that succeeded. */
    @Override
    public void release() {
        if (bytes != null) {
            pool.release(bytes);
            bytes = null;
        }
    }
}
