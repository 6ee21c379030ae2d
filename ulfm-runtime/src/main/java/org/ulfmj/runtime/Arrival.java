package org.ulfmj.runtime;

import org.ulfmj.runtime.transfer.MessageContext;
import org.ulfmj.runtime.transfer.Operation;
import org.ulfmj.runtime.transfer.UnexpectedMessage;

/**
 * What a blocking receive got. The object belongs to a caller, and each receive of that caller fills it again: so a
 * receive allocates nothing.
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

    /** What a probe saw: a message that can be received now. */
    void set(MessageContext communicator, UnexpectedMessage found) {
        source = communicator.peerRankOf(found.source());
        tag = found.tag();
        lengthBytes = found.lengthBytes();
    }

    /** What a short message was, of which there is no operation. */
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

    /** The number of bytes that were written into the receiver's buffer. */
    public long lengthBytes() {
        return lengthBytes;
    }
}
