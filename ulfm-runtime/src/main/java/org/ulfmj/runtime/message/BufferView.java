package org.ulfmj.runtime.message;

import java.nio.ByteBuffer;
import org.ulfmj.transport.ByteCopy;
import org.ulfmj.transport.Payload;

/**
 * A part of a buffer as a payload. The object is set to another part for the next message, so that none is made anew.
 */
public final class BufferView implements Payload {
    private ByteBuffer buffer;
    private int base;
    private int lengthBytes;

    public BufferView of(ByteBuffer newBuffer, int offset, int newLengthBytes) {
        buffer = newBuffer;
        base = offset;
        lengthBytes = newLengthBytes;
        return this;
    }

    /** Lets go of the buffer. */
    public void clear() {
        buffer = null;
    }

    @Override
    public long lengthBytes() {
        return lengthBytes;
    }

    @Override
    public ByteBuffer memory() {
        return buffer.isDirect() ? buffer : null;
    }

    @Override
    public int memoryOffset() {
        return base;
    }

    @Override
    public void copyOut(long offset, ByteBuffer target) {
        int count = target.remaining();
        ByteCopy.copy(buffer, base + (int) offset, target, target.position(), count);
        target.position(target.position() + count);
    }

    @Override
    public void copyIn(long offset, ByteBuffer source) {
        int count = source.remaining();
        ByteCopy.copy(source, source.position(), buffer, base + (int) offset, count);
        source.position(source.position() + count);
    }
}
