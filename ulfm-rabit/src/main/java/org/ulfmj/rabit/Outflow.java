package org.ulfmj.rabit;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.ulfmj.runtime.transfer.Operation;

/**
 * A stream of bytes to one rank, sent in as few messages as is sensible. Small pieces are put together in one message;
 * long ones are sent without a copy. Only {@link #end} waits.
 */
final class Outflow {
    private static final int CHUNK_BYTES = 1 << 20;
    /** The longest message in bytes: a longer one would delay all messages behind it. */
    private static final int LONGEST_BYTES = 1 << 26;

    private final RabitEpoch epoch;
    private final int slot;
    private final int tag;
    private final List<Operation> operations = new ArrayList<>();
    private ByteBuffer chunk = ByteBuffer.allocate(0);

    Outflow(RabitEpoch epoch, int slot, int tag) {
        this.epoch = epoch;
        this.slot = slot;
        this.tag = tag;
    }

    /** @param bytes not changed before {@link #end} */
    void write(ByteBuffer bytes) {
        ByteBuffer rest = bytes.duplicate();
        if (rest.remaining() >= CHUNK_BYTES) {
            flush();
            while (rest.hasRemaining()) {
                int length = Math.min(rest.remaining(), LONGEST_BYTES);
                operations.add(epoch.send(rest.slice(rest.position(), length), slot, tag));
                rest.position(rest.position() + length);
            }
            return;
        }
        if (rest.remaining() > chunk.remaining()) {
            flush();
            chunk = ByteBuffer.allocate(CHUNK_BYTES);
        }
        chunk.put(rest);
    }

    void flush() {
        if (chunk.position() > 0) {
            operations.add(epoch.send(chunk.flip(), slot, tag));
            chunk = ByteBuffer.allocate(0);
        }
    }

    /** Waits until all that was sent has left. The caller has flushed before. */
    void end() {
        for (Operation operation : operations) {
            epoch.await(operation);
        }
        operations.clear();
    }
}
