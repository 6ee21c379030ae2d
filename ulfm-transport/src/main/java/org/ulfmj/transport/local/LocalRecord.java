package org.ulfmj.transport.local;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.transport.Frame;

/** One frame on its way, with its own memory. Belongs to one lane for ever and goes round in it. */
final class LocalRecord {
    final int sizeClass;
    final Frame frame = new Frame();
    /** Whether this is no frame but the word "I have marked you failed". */
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
