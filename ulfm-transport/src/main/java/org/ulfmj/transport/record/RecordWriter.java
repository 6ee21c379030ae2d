package org.ulfmj.transport.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.security.GeneralSecurityException;

/**
 * The sending direction of a {@link RecordChannel}: seals bytes, and keeps the records that the channel below has not
 * taken yet, in a buffer of at most {@link RecordFormat#MAX_BUFFER_BYTES}.
 */
final class RecordWriter {
    private final WritableByteChannel channel;
    private final RecordCipher cipher;
    private final RecordBuffer memory;
    private final byte[] plain;
    private final byte[] sealed;

    private ByteBuffer out;
    /** The sealed bytes that the channel has not taken yet are those from {@code start} to {@code end}. */
    private int start;

    private int end;
    private long total;

    RecordWriter(WritableByteChannel channel, byte[] key, RecordBuffer memory) {
        this.memory = memory;
        this.plain = memory.plain;
        this.sealed = memory.sealed;
        this.out = memory.records();
        this.channel = channel;
        this.cipher = RecordCipher.sealing(key);
    }

    /** Seals bytes as long as there is room. The sealed bytes may still have to be flushed. */
    void put(ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            int bytes = Math.min(source.remaining(), RecordFormat.MAX_BYTES);
            if (!makeRoom(bytes + RecordFormat.OVERHEAD_BYTES)) {
                return;
            }
            source.get(plain, 0, bytes);
            seal(bytes);
        }
    }

    private void seal(int bytes) {
        int sealedBytes;
        try {
            sealedBytes = cipher.apply(plain, bytes, sealed);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot encrypt " + bytes + " bytes", e);
        }
        out.putInt(end, sealedBytes);
        out.put(end + RecordFormat.LENGTH_BYTES, sealed, 0, sealedBytes);
        end += RecordFormat.LENGTH_BYTES + sealedBytes;
        total += bytes;
    }

    private boolean makeRoom(int bytes) throws IOException {
        if (end + bytes <= out.capacity()) {
            return true;
        }
        if (out.capacity() < RecordFormat.MAX_BUFFER_BYTES) {
            out = memory.grow(Math.max(2 * out.capacity(), end - start + bytes), start, end);
            end -= start;
            start = 0;
            return makeRoom(bytes);
        }
        // After a flush the buffer is empty if the channel took all. Otherwise the channel takes no more now, and so
        // this writer takes no more either.
        return flush();
    }

    /** Writes what is sealed, as far as the channel takes it. Returns whether nothing is left. */
    boolean flush() throws IOException {
        if (start < end) {
            out.limit(end).position(start);
            while (out.hasRemaining() && channel.write(out) > 0) {
                // writes as long as the channel takes bytes
            }
            start = out.position();
            out.clear();
        }
        if (start == end) {
            start = 0;
            end = 0;
        }
        return end == 0;
    }

    boolean isFlushed() {
        return start == end;
    }

    /** The number of bytes that were sealed so far. */
    long total() {
        return total;
    }
}
