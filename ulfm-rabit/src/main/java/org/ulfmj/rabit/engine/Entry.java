package org.ulfmj.rabit.engine;

import java.nio.ByteBuffer;

/** The result of one operation. Its bytes do not change; whoever reads them uses a duplicate. */
public final class Entry {
    private final Shape shape;
    private final ByteBuffer bytes;
    /** RELEASE: fixed when it is logged or fetched, and never evaluated anew. */
    private final boolean keep;

    public Entry(Shape shape, ByteBuffer bytes, boolean keep) {
        this.shape = shape;
        this.bytes = bytes;
        this.keep = keep;
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

    int lengthBytes() {
        return bytes.limit();
    }
}
