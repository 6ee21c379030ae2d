package org.ulfmj.transport.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import org.ulfmj.sim.fuzz.FuzzTarget;
import org.ulfmj.transport.Frames;

/** Fuzzes the reading of a connection that carries encrypted records. */
final class RecordReaderFuzz implements FuzzTarget {
    /** The memory that one channel may allocate for any input, for reading and for writing. */
    private static final long READER_BYTES = 6L * RecordFormat.MAX_RECORD_BYTES;

    private final ByteBuffer target = ByteBuffer.allocate(1_000);

    @Override
    public List<byte[]> samples() {
        return List.of(
                RecordStreams.sealed(Frames.bytes(40, 1)),
                RecordStreams.sealed(Frames.bytes(5, 2), Frames.bytes(300, 3), Frames.bytes(1, 4)),
                RecordStreams.sealed(Frames.bytes(RecordFormat.MAX_BYTES, 5)));
    }

    @Override
    public void parse(byte[] input) throws IOException {
        MemoryChannel below = new MemoryChannel();
        below.arrive(input);
        below.end();
        RecordChannel channel = RecordStreams.channel(RecordStreams.ACCEPTOR, below);
        while (channel.read(target.clear()) >= 0) {
            // The next bytes.
        }
    }

    @Override
    public Set<Class<? extends Exception>> refusals() {
        return Set.of(RecordException.class);
    }

    @Override
    public long capBytes(int lengthBytes) {
        return READER_BYTES + 64L * lengthBytes;
    }
}
