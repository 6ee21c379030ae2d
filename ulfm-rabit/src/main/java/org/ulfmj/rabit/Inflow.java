package org.ulfmj.rabit;

import java.nio.ByteBuffer;

/** The stream of bytes that an {@link Outflow} of another rank sends here. */
final class Inflow {
    private final RabitEpoch epoch;
    private final int slot;
    private final int tag;
    private ByteBuffer chunk = ByteBuffer.allocate(0);

    Inflow(RabitEpoch epoch, int slot, int tag) {
        this.epoch = epoch;
        this.slot = slot;
        this.tag = tag;
    }

    /** Fills the target with the next bytes of the stream; waits until they have come. */
    void read(ByteBuffer target) {
        while (target.hasRemaining()) {
            if (!chunk.hasRemaining()) {
                chunk = epoch.receive(slot, tag);
            }
            int length = Math.min(chunk.remaining(), target.remaining());
            target.put(chunk.slice(chunk.position(), length));
            chunk.position(chunk.position() + length);
        }
    }

    int readInt() {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES);
        read(bytes);
        return bytes.getInt(0);
    }

    byte[] readBytes(int length) {
        byte[] bytes = new byte[length];
        read(ByteBuffer.wrap(bytes));
        return bytes;
    }
}
