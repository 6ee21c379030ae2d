package org.ulfmj.rabit.engine;

import java.nio.ByteBuffer;

/** The result of one operation. Its bytes do not change; any rank that reads them uses a duplicate. */
public final class Entry {
    private final Shape shape;
    private final ByteBuffer bytes;
    /**
     * RELEASE: whether this rank keeps the result until the checkpoint. Fixed when the result is logged or fetched, and
     * never evaluated anew.
     */
    private final boolean keep;

    private final boolean isFetched;

    /** @param bytes from the {@link ResultMemory}, if the log is to give them back to it */
    public Entry(Shape shape, ByteBuffer bytes, boolean keep) {
        this(shape, bytes, keep, false);
    }

    private Entry(Shape shape, ByteBuffer bytes, boolean keep, boolean isFetched) {
        this.shape = shape;
        this.bytes = bytes;
        this.keep = keep;
        this.isFetched = isFetched;
    }

    /** A result that another rank gave. This rank keeps it. */
    static Entry fetched(Shape shape, ByteBuffer bytes) {
        return new Entry(shape, bytes, true, true);
    }

    /**
     * Gives back the memory of a result that no rank needs any more. A fetched result has other memory, which is left
     * to the garbage collector.
     */
    void giveBackTo(ResultMemory memory) {
        if (!isFetched) {
            memory.giveBack(bytes);
        }
    }

    public Shape shape() {
        return shape;
    }

    /** The whole result, in native order. */
    public ByteBuffer bytes() {
        return bytes;
    }

    /** Whether this rank keeps the result until the checkpoint, for other ranks that may need it. */
    public boolean keep() {
        return keep;
    }

    /** How many bytes of the result count against the bound that the user set; 0 for a fetched result. */
    int boundedBytes() {
        return isFetched ? 0 : lengthBytes();
    }

    int lengthBytes() {
        return bytes.limit();
    }
}
