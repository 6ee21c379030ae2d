package org.ulfmj.transport.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.function.IntSupplier;
import org.ulfmj.transport.auth.RecordKeys;

/**
 * A stream of bytes over a non-blocking channel, in records that are encrypted and checked with AES-128-GCM. It never
 * waits: bytes count as written once they are sealed, and {@link #flush} writes what the channel below has not taken.
 * Not thread-safe.
 *
 * <p>An attacker who holds the path can delay or end the connection, but not change what is read: a record that was
 * changed, repeated, left out or moved is a {@link RecordException}.
 */
public final class RecordChannel implements ByteChannel, GatheringByteChannel {
    /** After this many sent bytes a connection is to be replaced by a new one, with new keys. */
    public static final long DEFAULT_LIMIT_BYTES = 1L << 36;

    private final RecordReader reader;
    private final RecordWriter writer;
    private final WritableByteChannel below;
    private final long limitBytes;

    /** Makes its memory itself. */
    public RecordChannel(RecordKeys keys, ReadableByteChannel source, WritableByteChannel below, long limitBytes) {
        this(keys, source, below, limitBytes, new RecordBuffers());
    }

    /**
     * @param source from which the records are read
     * @param below to which the records are written; closed with this channel
     * @param limitBytes after how many written bytes this channel {@link #isUsedUp}
     * @param buffers used by no other open channel
     */
    public RecordChannel(
            RecordKeys keys,
            ReadableByteChannel source,
            WritableByteChannel below,
            long limitBytes,
            RecordBuffers buffers) {
        this.reader = new RecordReader(source, keys.receiving(), buffers.reading);
        this.writer = new RecordWriter(below, keys.sending(), buffers.writing);
        this.below = below;
        this.limitBytes = limitBytes;
    }

    /** Loads what the first record of a process needs, which takes about 100 ms. Any thread. */
    public static void prepare() {
        RecordCipher.sealing(new byte[RecordKeys.LENGTH_BYTES]);
    }

    /**
     * Reads bytes from records that have passed their check.
     *
     * @return the number of bytes; 0 if there are none now, −1 at the end of the stream
     * @throws RecordException if the next record fails its check: the connection is to be closed
     */
    @Override
    public int read(ByteBuffer target) throws IOException {
        return reader.read(target);
    }

    /**
     * Whether there are bytes to read, or a failed check to throw, in what was already taken from the channel below, so
     * that no selector reports them. A read is due before the next select.
     */
    public boolean isReady() {
        return reader.isReady();
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        int before = source.remaining();
        writer.put(source);
        writer.flush();
        return before - source.remaining();
    }

    @Override
    public long write(ByteBuffer[] sources) throws IOException {
        return write(sources, 0, sources.length);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        long count = 0;
        for (int i = offset; i < offset + length; i++) {
            int before = sources[i].remaining();
            writer.put(sources[i]);
            count += before - sources[i].remaining();
            if (sources[i].hasRemaining()) {
                break;
            }
        }
        writer.flush();
        return count;
    }

    /** Writes what was sealed, as far as the channel below takes it. Returns whether nothing is left. */
    public boolean flush() throws IOException {
        return writer.flush();
    }

    /** Whether all bytes that were written have left this channel. */
    public boolean isFlushed() {
        return writer.isFlushed();
    }

    /** Whether so many bytes were written under this channel's key that another connection must replace this one. */
    public boolean isUsedUp() {
        return writer.total() >= limitBytes;
    }

    /**
     * Makes bits of arriving records wrong before they are opened (a fault for tests).
     *
     * @param spoiler asked for each record: the index of the bit to change, or −1 for none
     */
    public void spoilBy(IntSupplier spoiler) {
        reader.spoilBy(spoiler);
    }

    @Override
    public boolean isOpen() {
        return below.isOpen();
    }

    @Override
    public void close() throws IOException {
        below.close();
    }
}
