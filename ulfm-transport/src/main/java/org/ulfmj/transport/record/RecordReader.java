package org.ulfmj.transport.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.security.GeneralSecurityException;
import java.util.function.IntSupplier;

/**
 * The receiving direction of a {@link RecordChannel}: collects records until they are whole, checks and opens them. Its
 * memory is bounded for any input: a length is checked before room is made for it, and no byte of a record is handed
 * over before its check.
 */
final class RecordReader {
    private final ReadableByteChannel channel;
    private final RecordCipher cipher;
    private final RecordBuffer memory;
    private final byte[] sealed;
    private final byte[] opened;

    private ByteBuffer in;
    /** The bytes that have arrived and are not opened yet are those from {@code start} to {@code end}. */
    private int start;

    private int end;
    /**
     * The opened bytes of the last record that are not handed over yet are those from {@code openedFrom} to
     * {@code openedTo}.
     */
    private int openedFrom;

    private int openedTo;
    private boolean isEnded;
    /** Why nothing more is read; null as long as all records have passed their checks. */
    private RecordException failure;

    /**
     * Gives the bit of the next record that is to arrive wrong, or −1 (a fault for tests); null if there is no such
     * fault.
     */
    private IntSupplier spoiler;

    RecordReader(ReadableByteChannel channel, byte[] key, RecordBuffer memory) {
        this.memory = memory;
        this.sealed = memory.sealed;
        this.opened = memory.plain;
        this.in = memory.records();
        this.channel = channel;
        this.cipher = RecordCipher.opening(key);
    }

    void spoilBy(IntSupplier newSpoiler) {
        spoiler = newSpoiler;
    }

    /**
     * Reads opened bytes. The channel below is read only if no whole record is in the buffer, and then until there is
     * one, or the channel has no more bytes.
     *
     * @return the number of bytes; 0 if there are none now, −1 at the end of the stream, even in the middle of a record
     * @throws RecordException if the next record fails its check; all bytes before it were handed over
     */
    int read(ByteBuffer target) throws IOException {
        int count = takeOpened(target);
        while (target.hasRemaining() && (hasWhole() || count == 0 && fill())) {
            open();
            count += takeOpened(target);
        }
        if (count == 0 && failure != null) {
            throw failure;
        }
        return count == 0 && isEnded && !isReady() ? -1 : count;
    }

    /** Whether {@link #read} would return bytes or throw without reading the channel below. */
    boolean isReady() {
        return openedFrom < openedTo || hasWhole() || failure != null;
    }

    private int takeOpened(ByteBuffer target) {
        int count = Math.min(openedTo - openedFrom, target.remaining());
        target.put(opened, openedFrom, count);
        openedFrom += count;
        return count;
    }

    /** Whether the whole next record has arrived. Its length is checked as soon as that has arrived. */
    private boolean hasWhole() {
        if (failure != null || end - start < RecordFormat.LENGTH_BYTES) {
            return false;
        }
        int length = in.getInt(start);
        if (length < RecordFormat.TAG_BYTES || length > RecordFormat.MAX_SEALED_BYTES) {
            failure = new RecordException("a record of " + length + " bytes, " + RecordFormat.TAG_BYTES + " to "
                    + RecordFormat.MAX_SEALED_BYTES + " are possible");
            return false;
        }
        return end - start >= RecordFormat.LENGTH_BYTES + length;
    }

    private boolean fill() throws IOException {
        while (failure == null && !isEnded) {
            makeRoom();
            in.limit(in.capacity()).position(end);
            int count = channel.read(in);
            if (count <= 0) {
                isEnded = count < 0;
                return false;
            }
            end += count;
            if (hasWhole()) {
                return true;
            }
        }
        return false;
    }

    private void makeRoom() {
        if (start == end) {
            start = 0;
            end = 0;
        } else if (end == in.capacity()) {
            // The buffer is full: it is made larger if it can be, as it may hold no whole record, or bytes come fast.
            if (in.capacity() < RecordFormat.MAX_BUFFER_BYTES) {
                in = memory.grow(2 * in.capacity(), start, end);
            } else {
                in.put(0, in, start, end - start);
            }
            end -= start;
            start = 0;
        }
    }

    private void open() {
        int length = in.getInt(start);
        in.get(start + RecordFormat.LENGTH_BYTES, sealed, 0, length);
        start += RecordFormat.LENGTH_BYTES + length;
        if (spoiler != null) {
            spoil(spoiler.getAsInt(), length);
        }
        openedFrom = 0;
        openedTo = 0;
        long number = cipher.count();
        try {
            openedTo = cipher.apply(sealed, length, opened);
        } catch (GeneralSecurityException wrongTag) {
            failure = new RecordException("record " + number + " fails its check");
        }
    }

    private void spoil(int bit, int length) {
        if (bit >= 0) {
            int at = bit / Byte.SIZE % length;
            sealed[at] = (byte) (sealed[at] ^ 1 << bit % Byte.SIZE);
        }
    }
}
