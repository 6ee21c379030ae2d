package org.ulfmj.transport.record;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ulfmj.transport.auth.RecordKeys;

/** Records in memory, made and read with fixed keys. */
final class RecordStreams {
    static final RecordKeys DIALER = keys(1, 2);
    static final RecordKeys ACCEPTOR = keys(2, 1);
    private static final long NO_LIMIT = Long.MAX_VALUE;

    private RecordStreams() {}

    static RecordKeys keys(int sending, int receiving) {
        return new RecordKeys(key(sending), key(receiving));
    }

    static byte[] key(int seed) {
        byte[] key = new byte[RecordKeys.LENGTH_BYTES];
        Arrays.fill(key, (byte) seed);
        return key;
    }

    static RecordChannel channel(RecordKeys keys, MemoryChannel below) {
        return new RecordChannel(keys, below, below, NO_LIMIT);
    }

    /** The stream that the dialer writes, with each text in separate records. */
    static byte[] sealed(byte[]... texts) {
        return sealed(DIALER, texts);
    }

    static byte[] sealed(RecordKeys keys, byte[]... texts) {
        MemoryChannel below = new MemoryChannel();
        RecordChannel channel = channel(keys, below);
        try {
            for (byte[] text : texts) {
                channel.write(ByteBuffer.wrap(text));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return below.written.toByteArray();
    }

    /** Cuts a stream into its records. */
    static List<byte[]> split(byte[] stream) {
        List<byte[]> records = new ArrayList<>();
        for (int at = 0; at < stream.length; ) {
            int length = stream[at] & 0xff
                    | (stream[at + 1] & 0xff) << 8
                    | (stream[at + 2] & 0xff) << 16
                    | (stream[at + 3] & 0xff) << 24;
            int end = at + RecordFormat.LENGTH_BYTES + length;
            records.add(Arrays.copyOfRange(stream, at, end));
            at = end;
        }
        return records;
    }

    static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    static byte[] joined(List<byte[]> parts) {
        return joined(parts.toArray(new byte[0][]));
    }

    /**
     * Reads from a channel until nothing is left, the stream ends, or an error occurs, which is kept in
     * {@link Opened#failure}.
     */
    static Opened open(RecordChannel channel, int targetBytes) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer target = ByteBuffer.allocate(targetBytes);
        try {
            int count = channel.read(target.clear());
            while (count > 0) {
                all.write(target.array(), 0, count);
                count = channel.read(target.clear());
            }
            return new Opened(all.toByteArray(), count < 0, null);
        } catch (IOException e) {
            return new Opened(all.toByteArray(), false, e);
        }
    }

    /** Reads a whole stream as the acceptor and returns what came out. */
    static Opened opened(byte[] stream) {
        MemoryChannel below = new MemoryChannel();
        below.arrive(stream);
        below.end();
        return open(channel(ACCEPTOR, below), 100_000);
    }

    /** The bytes that came out of a channel, whether the stream ended, and the error, or null. */
    record Opened(byte[] bytes, boolean isAtEnd, IOException failure) {}
}
