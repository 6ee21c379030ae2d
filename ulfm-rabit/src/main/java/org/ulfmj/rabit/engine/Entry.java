package org.ulfmj.rabit.engine;

import java.nio.ByteBuffer;

/** The result of one operation. Its bytes do not change; any rank that reads them uses a duplicate. */
public final class Entry {
    private final Shape shape;
    private final ByteBuffer bytes;
    /** RELEASE: fixed when it is logged or fetched, and never evaluated anew. */
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

    /** One that another rank gave; it is kept. */
    static Entry fetched(Shape shape, ByteBuffer bytes) {
        return new Entry(shape, bytes, true, true);
    }

    /** No rank needs it any more. What was fetched came from elsewhere and is left to the collector. */
    void giveBackTo(ResultMemory memory) {
        if (!isFetched) {
            memory.giveBack(bytes);
        }
    }

    public Shape shape() {
        return shape;
    }

    /** All of it, in native order. */
    public ByteBuffer bytes() {
        return bytes;
    }

    /** Whether this rank keeps it until the checkpoint, for others that may need it. */
    public boolean keep() {
        return keep;
    }

    /** What of it counts against the bound that the user set. */
    int boundedBytes() {
        return isFetched ? 0 : lengthBytes();
    }

    int lengthBytes() {
        return bytes.limit();
    }
}
