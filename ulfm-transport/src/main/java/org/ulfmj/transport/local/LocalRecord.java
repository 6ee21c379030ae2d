package org.ulfmj.transport.local;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.transport.Frame;

/** One frame in a lane, with its own memory. A record belongs to one lane and is used there again and again. */
final class LocalRecord {
    final int sizeClass;
    final Frame frame = new Frame();
    /** Whether the record holds no frame, but tells the receiver that the sender has marked it failed. */
    boolean exclusion;

    private final ByteBuffer memory;

    LocalRecord(int sizeClass) {
        this.sizeClass = sizeClass;
        this.memory = ByteBuffer.allocate(RecordPool.bytesOf(sizeClass)).order(ByteOrder.LITTLE_ENDIAN);
    }

    void fill(Frame source) {
        exclusion = false;
        memory.clear().limit(source.payloadBytes());
        source.copyPayloadTo(memory);
        frame.copyHeaderOf(source).receive(memory.flip());
    }
}
