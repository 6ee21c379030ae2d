package org.ulfmj.runtime.message;

import java.nio.ByteBuffer;
import org.ulfmj.protocol.WireWriter;
import org.ulfmj.transport.Payload;

/**
 * The bytes of one protocol message at a time, in memory that the next message uses again: they are lost as soon as
 * that begins.
 */
public final class WrittenPayload implements Payload {
    private final WireWriter writer;

    /** @param limitBytes of a message */
    public WrittenPayload(int limitBytes) {
        this.writer = new WireWriter(limitBytes);
    }

    /** Forgets the last message. The bytes that are written from now on belong to the next one. */
    public WireWriter begin() {
        writer.clear();
        return writer;
    }

    @Override
    public long lengthBytes() {
        return writer.lengthBytes();
    }

    @Override
    public void copyOut(long offset, ByteBuffer target) {
        writer.copyTo((int) offset, target);
    }

    @Override
    public void copyIn(long offset, ByteBuffer source) {
        throw new UnsupportedOperationException("nothing is received into a message that was written here");
    }
}
