package org.ulfmj.runtime;

import org.ulfmj.runtime.transfer.MessageContext;
import org.ulfmj.runtime.transfer.Operation;
import org.ulfmj.runtime.transfer.UnexpectedMessage;

/**
 * Source, tag and length of the message that a blocking receive got or a probe found. The object belongs to the caller,
 * which may hand it to one call after the other.
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

    /** Fills this object with what a probe found: a message that can be received now. */
    void set(MessageContext communicator, UnexpectedMessage found) {
        source = communicator.peerRankOf(found.source());
        tag = found.tag();
        lengthBytes = found.lengthBytes();
    }

    /**
     * Fills this object with source, tag and length of a short message that was received without an {@link Operation}.
     */
    void set(int newSource, int newTag, long newLengthBytes) {
        source = newSource;
        tag = newTag;
        lengthBytes = newLengthBytes;
    }

    /** The sender's rank. */
    public int source() {
        return source;
    }

    /** The message's tag. */
    public int tag() {
        return tag;
    }

    /** The message's length in bytes: after a receive, how many bytes were written into the receiver's buffer. */
    public long lengthBytes() {
        return lengthBytes;
    }
}
