package org.ulfmj.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes little-endian fields into a byte array that grows up to a limit. */
public final class WireWriter {
    private final int limitBytes;
    private byte[] bytes;
    private ByteBuffer view;
    private int length;

    /** @param limitBytes the most bytes that may be written; a longer message raises a {@link WireFormatException} */
    public WireWriter(int limitBytes) {
        this.limitBytes = limitBytes;
        grow(Math.min(limitBytes, 64));
    }

    public WireWriter putByte(int value) {
        int at = room(1);
        view.put(at, (byte) value);
        return this;
    }

    public WireWriter putInt(int value) {
        // room() is called before the field {@code view} is read, because growing the array replaces {@code view}.
        int at = room(Integer.BYTES);
        view.putInt(at, value);
        return this;
    }

    public WireWriter putLong(long value) {
        int at = room(Long.BYTES);
        view.putLong(at, value);
        return this;
    }

    /** Appends bytes without their length. */
    public WireWriter putBytes(byte[] source) {
        int at = room(source.length);
        System.arraycopy(source, 0, bytes, at, source.length);
        return this;
    }

    /** Appends the length of the bytes, and then the bytes. */
    public WireWriter putBlob(byte[] source) {
        return putInt(source.length).putBytes(source);
    }

    /** Appends the length of the text's UTF-8 form, and then that form. */
    public WireWriter putText(String text) {
        return putBlob(text.getBytes(StandardCharsets.UTF_8));
    }

    public WireWriter putProcess(ProcessId process) {
        return putInt(process.slot()).putInt(process.incarnation());
    }

    public int lengthBytes() {
        return length;
    }

    /** Returns a copy of the bytes that were written so far. */
    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, length);
    }

    /**
     * Fills the target with the written bytes from {@code offset} on, and moves its position. There must be at least as
     * many of them as fit into the target.
     */
    public void copyTo(int offset, ByteBuffer target) {
        target.put(bytes, offset, target.remaining());
    }

    /** Drops what was written, and keeps the memory for the next message. */
    public void clear() {
        length = 0;
    }

    private int room(int more) {
        int at = length;
        if (more > limitBytes - length) {
            throw new WireFormatException(
                    "message of " + (length + (long) more) + " bytes, at most " + limitBytes + " allowed");
        }
        if (length + more > bytes.length) {
            grow((int) Math.min(limitBytes, Math.max(2L * bytes.length, (long) length + more)));
        }
        length += more;
        return at;
    }

    private void grow(int capacity) {
        bytes = bytes == null ? new byte[capacity] : Arrays.copyOf(bytes, capacity);
        view = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
