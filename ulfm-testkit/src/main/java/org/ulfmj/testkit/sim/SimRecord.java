package org.ulfmj.testkit.sim;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameLayout;

/** One frame on its way, with memory that no other record uses. */
final class SimRecord {
    private static final int SMALL_BYTES = 256;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).order(ByteOrder.LITTLE_ENDIAN);

    final Frame frame = new Frame();
    /** Whether this record is no frame, but tells the receiver that the sender has marked it failed. */
    boolean exclusion;
    /** Position among all records of its sender to its receiver. */
    long number;

    private ByteBuffer memory = NOTHING;

    void fill(Frame source) {
        exclusion = false;
        if (memory.capacity() < source.payloadBytes()) {
            memory = ByteBuffer.allocate(Math.max(SMALL_BYTES, source.payloadBytes()))
                    .order(ByteOrder.LITTLE_ENDIAN);
        }
        memory.clear().limit(source.payloadBytes());
        source.copyPayloadTo(memory);
        frame.copyHeaderOf(source).receive(memory.flip());
    }

    void beExclusion() {
        exclusion = true;
        frame.receive(NOTHING);
    }

    /** Whether the record is too large to be kept for reuse. */
    boolean isLarge() {
        return memory.capacity() > 16 * SMALL_BYTES;
    }

    /** Returns a hash of all that the receiver of the record can see. */
    long digest() {
        if (exclusion) {
            return 1;
        }
        long digest = 0;
        for (int word = 0; word < FrameLayout.HEADER_WORDS; word++) {
            digest = SimJournal.mix(digest, FrameLayout.headerWord(frame, word));
        }
        ByteBuffer bytes = frame.received();
        int at = 0;
        for (; at + Long.BYTES <= frame.payloadBytes(); at += Long.BYTES) {
            digest = SimJournal.mix(digest, bytes.getLong(at));
        }
        for (; at < frame.payloadBytes(); at++) {
            digest = SimJournal.mix(digest, bytes.get(at));
        }
        return digest;
    }
}
