package org.ulfmj.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Reads little-endian fields and never past the end: every length is checked against what is left before anything is
 * allocated. Input that is too short, or a negative length or process number, raises a {@link WireFormatException}.
 */
public final class WireReader {
    private ByteBuffer in;

    /** Makes a reader of the remaining bytes of a buffer; the buffer's own position is not moved. */
    public WireReader(ByteBuffer source) {
        this.in = source.slice().order(ByteOrder.LITTLE_ENDIAN);
    }

    public WireReader(byte[] source) {
        this(ByteBuffer.wrap(source));
    }

    /** A reader without bytes, to be pointed at one message after the other by {@link #over}. */
    public WireReader() {
        this(new byte[0]);
    }

    /** Points this reader at the remaining bytes of a little-endian buffer, whose position moves as fields are read. */
    public WireReader over(ByteBuffer source) {
        if (source.order() != ByteOrder.LITTLE_ENDIAN) {
            throw new IllegalArgumentException("fields are little endian, the buffer is " + source.order());
        }
        in = source;
        return this;
    }

    public int getByte() {
        require(1);
        return in.get() & 0xff;
    }

    public int getInt() {
        require(Integer.BYTES);
        return in.getInt();
    }

    public long getLong() {
        require(Long.BYTES);
        return in.getLong();
    }

    public byte[] getBytes(int count) {
        if (count < 0) {
            throw new WireFormatException("negative length " + count);
        }
        require(count);
        byte[] target = new byte[count];
        in.get(target);
        return target;
    }

    /** Reads bytes written by {@link WireWriter#putBlob}. */
    public byte[] getBlob() {
        return getBytes(getInt());
    }

    /** Reads a text written by {@link WireWriter#putText}. */
    public String getText() {
        return new String(getBlob(), StandardCharsets.UTF_8);
    }

    public ProcessId getProcess() {
        int slot = getInt();
        int incarnation = getInt();
        if (slot < 0 || incarnation < 0) {
            throw new WireFormatException("no process " + slot + "'" + incarnation);
        }
        return new ProcessId(slot, incarnation);
    }

    /**
     * Checks that {@code count} items of at least {@code itemBytes} can still follow, before a caller allocates them.
     */
    public void requireCount(int count, int itemBytes, String what) {
        if (count < 0 || (long) count * itemBytes > in.remaining()) {
            throw new WireFormatException(count + " " + what + " do not fit into " + in.remaining() + " bytes");
        }
    }

    /** Checks that everything was read. */
    public void requireEnd() {
        if (in.hasRemaining()) {
            throw new WireFormatException(in.remaining() + " bytes too many");
        }
    }

    public int remaining() {
        return in.remaining();
    }

    private void require(int count) {
        if (count > in.remaining()) {
            throw new WireFormatException(count + " bytes wanted, " + in.remaining() + " left");
        }
    }
}
