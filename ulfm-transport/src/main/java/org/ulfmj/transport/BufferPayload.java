package org.ulfmj.transport;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The bytes of a {@link ByteBuffer} between the position and the limit that the buffer had at construction. */
public final class BufferPayload implements Payload {
    /** A payload without any bytes. */
    public static final BufferPayload EMPTY = new BufferPayload(ByteBuffer.allocate(0));

    private final ByteBuffer buffer;
    private final int base;
    private final int lengthBytes;

    public BufferPayload(ByteBuffer buffer) {
        this.buffer = buffer;
        this.base = buffer.position();
        this.lengthBytes = buffer.remaining();
    }

    /** A copy of the present bytes of another payload, which must be shorter than 2 GiB. */
    public static BufferPayload copyOf(Payload other) {
        ByteBuffer copy = ByteBuffer.allocate((int) other.lengthBytes()).order(ByteOrder.nativeOrder());
        other.copyOut(0, copy);
        return new BufferPayload(copy.flip());
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
