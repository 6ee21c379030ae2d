package org.ulfmj.rabit.engine;

import java.nio.ByteBuffer;

/**
 * The result of one operation. Its bytes do not change as long as it is kept; a reader uses a duplicate of the buffer.
 *
 * @param bytes the whole result, in native order
 * @param keep RELEASE: whether this rank keeps the result until the checkpoint, for other ranks that may need it. Fixed
 *     when the result is logged or fetched, and never evaluated anew.
 * @param isFetched whether this is a result of a version that another rank gave
 */
public record Entry(Shape shape, ByteBuffer bytes, boolean keep, boolean isFetched) {
    /** A result of an operation that this rank has taken part in, or any result of the bootstrap phase. */
    public Entry(Shape shape, ByteBuffer bytes, boolean keep) {
        this(shape, bytes, keep, false);
    }

    /** A result of a version that another rank gave. This rank keeps it. */
    static Entry fetched(Shape shape, ByteBuffer bytes) {
        return new Entry(shape, bytes, true, true);
    }

    /**
     * Gives back the memory of a result that this rank drops. A fetched result has other memory, which is left to the
     * garbage collector.
     */
    void giveBackTo(ResultMemory memory) {
        if (!isFetched) {
            memory.giveBack(bytes);
        }
    }

    /** How many bytes of the result count against the bound that the user set; 0 for a fetched result. */
    int boundedBytes() {
        return isFetched ? 0 : lengthBytes();
    }

    int lengthBytes() {
        return bytes.limit();
    }
}
