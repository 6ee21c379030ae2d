package org.ulfmj.transport.shm;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameLayout;

/**
 * The receiver's end of one ring ({@link LaneLayout}). What the sender wrote is looked at once and checked before it is
 * used: no matter what lies in the memory, nothing outside of a record is read.
 */
final class RingReader {
    private final ByteBuffer memory;
    /** Another view of the same: the body of the record found last. */
    private final ByteBuffer view;

    private final int capacity;
    private long head;
    private int offset;

    // The record that next() found.
    private int kind;
    private int bodyBytes;
    private String fault;

    RingReader(ByteBuffer memory) {
        this.memory = memory;
        this.view = memory.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        this.capacity = (memory.capacity() - LaneLayout.RECORDS_AT) & -LaneLayout.WORD_BYTES;
    }

    /** Whether nothing is there. Also for a thread that does not read: it may then be wrong, in favour of something. */
    boolean isEmpty() {
        return LaneLayout.wordAcquire(memory, LaneLayout.RECORDS_AT + offset) == 0;
    }

    /** Finds the next record, if there is one; {@link #fault} is asked after a no. */
    boolean next() {
        long word = LaneLayout.wordAcquire(memory, LaneLayout.RECORDS_AT + offset);
        if (word == 0) {
            return false;
        }
        if (!check(word)) {
            return false;
        }
        if (kind != LaneLayout.SKIP) {
            return true;
        }
        if (offset == 0) {
            return fail("skips everything");
        }
        advance(capacity - offset);
        word = LaneLayout.wordAcquire(memory, LaneLayout.RECORDS_AT);
        return word != 0 && check(word) && (kind != LaneLayout.SKIP || fail("skips twice"));
    }

    private boolean check(long word) {
        kind = LaneLayout.kindOf(word);
        bodyBytes = LaneLayout.bodyBytesOf(word);
        if (!LaneLayout.isStampOf(word, head)) {
            return fail("has a record of another position");
        }
        if (kind < LaneLayout.FRAME || kind > LaneLayout.BARE) {
            return fail("has a record of unknown kind");
        }
        if (bodyBytes < 0 || bodyBytes > capacity - offset - LaneLayout.WORD_BYTES) {
            return fail("has a record that does not fit it");
        }
        return true;
    }

    private boolean fail(String what) {
        fault = what;
        return false;
    }

    /** What is wrong with the record at which the reader stands; null if nothing is. */
    String fault() {
        return fault;
    }

    int kind() {
        return kind;
    }

    int bodyBytes() {
        return bodyBytes;
    }

    /** The record's bytes, little endian; valid until {@link #release}. */
    ByteBuffer body() {
        int at = LaneLayout.RECORDS_AT + offset + LaneLayout.WORD_BYTES;
        return view.limit(at + bodyBytes).position(at);
    }

    /**
     * Of a record that is a whole frame: that frame, valid until {@link #release}.
     *
     * @throws WireFormatException if it is none
     */
    void read(Frame into) {
        switch (kind) {
            case LaneLayout.BRIEF -> FrameLayout.readBrief(into, body());
            case LaneLayout.BARE -> FrameLayout.readBare(into, body());
            default -> FrameLayout.read(into, body());
        }
    }

    /** Gives the record's memory back to the sender. */
    void release() {
        advance(LaneLayout.recordBytes(bodyBytes));
    }

    /** Whether the sender waits for what was read to be free; after a full fence behind the reading. */
    boolean isRoomWished() {
        return LaneLayout.wordOpaque(memory, LaneLayout.WISH_AT) != 0;
    }

    /** Of a record of kind {@link LaneLayout#REPLACED}. */
    long successor() {
        return memory.getLong(LaneLayout.SUCCESSOR_AT);
    }

    private void advance(int bytes) {
        head += bytes;
        // Written once: a sleeper may look at it at any moment, and must not see a place behind the end.
        int next = offset + bytes;
        offset = next >= capacity ? 0 : next;
        LaneLayout.wordRelease(memory, LaneLayout.HEAD_AT, head);
    }
}
