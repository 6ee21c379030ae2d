package org.ulfmj.runtime;

import org.ulfmj.runtime.transfer.Operation;

/**
 * What a blocking receive got. Belongs to a caller, who has it filled again by each of its receives: so these allocate
 * nothing.
 */
public final class Arrival {
    private int source;
    private int tag;
    private long lengthBytes;

    void set(Operation received) {
        source = received.source();
        tag = received.tag();
        lengthBytes = received.lengthBytes();
    }

    /** The sender's rank. */
    public int source() {
        return source;
    }

    /** The message's tag. */
    public int tag() {
        return tag;
    }

    /** Bytes that were written. */
    public long lengthBytes() {
        return lengthBytes;
    }
}
