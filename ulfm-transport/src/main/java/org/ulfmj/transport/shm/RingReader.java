package org.ulfmj.transport.shm;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameLayout;
import org.ulfmj.transport.Payload;
import org.ulfmj.transport.ShortPath;

/**
 * The receiver's end of one ring ({@link LaneLayout}). A commit word is checked before the record behind it is read. So
 * no bytes outside the ring are read, for any content of the memory.
 */
final class RingReader {
    private final ByteBuffer memory;
    /** Another view of {@link #memory}, little endian, which {@link #body} positions at the body of a record. */
    private final ByteBuffer view;

    private final int capacity;
    private long head;
    private int offset;

    // Kind and length of the record that was checked last.
    private int kind;
    private int bodyBytes;
    private String fault;
    /** Whether the last record was read. The memory behind it may hold anything. */
    private boolean isOver;

    private int takenTag;

    RingReader(ByteBuffer memory) {
        this.memory = memory;
        this.view = memory.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        this.capacity = (memory.capacity() - LaneLayout.RECORDS_AT) & -LaneLayout.WORD_BYTES;
    }

    /**
     * Whether there is no record to read. Any thread; a thread that does not read may get an answer that is out of
     * date.
     */
    boolean isEmpty() {
        return isOver || LaneLayout.wordAcquire(memory, LaneLayout.RECORDS_AT + offset) == 0;
    }

    /**
     * Finds the next record. Returns false if there is none, or if the record is invalid; then {@link #fault} is not
     * null.
     */
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

    /**
     * Takes the next record if it is a brief frame with this communicator and header, whose payload fits into
     * {@code target} and has at most {@link ShortPath#MAX_BYTES} bytes, and copies the payload there. Returns what
     * {@link ShortPath#receive} returns. A record that is not taken, or that is wrong, stays for {@link #next}.
     *
     * @param isAnyTag whether the tag in the header may differ
     */
    int takeBrief(long header, boolean isAnyTag, long communicator, Payload target) {
        long word = LaneLayout.wordAcquire(memory, LaneLayout.RECORDS_AT + offset);
        if (word == 0) {
            return ShortPath.NOTHING;
        }
        if (LaneLayout.kindOf(word) == LaneLayout.SKIP) {
            return next() ? takeBrief(header, isAnyTag, communicator, target) : ShortPath.NOTHING;
        }
        if (LaneLayout.kindOf(word) != LaneLayout.BRIEF) {
            return ShortPath.DECLINED;
        }
        int lengthBytes = LaneLayout.bodyBytesOf(word) - FrameLayout.BRIEF_HEADER_BYTES;
        if (!check(word)
                || lengthBytes < 0
                || lengthBytes > ShortPath.MAX_BYTES
                || lengthBytes > target.lengthBytes()) {
            return ShortPath.DECLINED;
        }
        ByteBuffer body = body();
        int at = body.position();
        long found = body.getLong(at);
        boolean isWanted = found == header || isAnyTag && (int) found == (int) header;
        if (!isWanted || body.getLong(at + Long.BYTES) != communicator) {
            return ShortPath.DECLINED;
        }
        takenTag = (int) (found >>> Integer.SIZE);
        if (lengthBytes > 0) {
            target.copyIn(0, body.position(at + FrameLayout.BRIEF_HEADER_BYTES));
        }
        release();
        return lengthBytes;
    }

    /** The tag of the message that {@link #takeBrief} took last. */
    int takenTag() {
        return takenTag;
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

    /** The fault of the record at which the reader stands, in words; null if no fault was found. */
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
     * Reads the frame of a record that holds a whole frame. The frame is valid until {@link #release}.
     *
     * @throws WireFormatException if the bytes are no frame
     */
    void read(Frame into) {
        switch (kind) {
            case LaneLayout.BRIEF -> FrameLayout.readBrief(into, body());
            case LaneLayout.BARE -> FrameLayout.readBare(into, body());
            default -> FrameLayout.read(into, body());
        }
    }

    /** Gives the memory of the record that was checked last back to the sender. */
    void release() {
        isOver = kind == LaneLayout.REPLACED || kind == LaneLayout.EXCLUDED;
        advance(LaneLayout.recordBytes(bodyBytes));
    }

    /** Whether the sender waits for room in the ring. To be asked after a full fence behind the reading. */
    boolean isRoomWished() {
        return LaneLayout.wordOpaque(memory, LaneLayout.WISH_AT) != 0;
    }

    /** The id of the file in which the lane goes on. Only after a record of kind {@link LaneLayout#REPLACED}. */
    long successor() {
        return memory.getLong(LaneLayout.SUCCESSOR_AT);
    }

    private void advance(int bytes) {
        head += bytes;
        // The field is written only once here: a sleeping thread may read it at any moment, and must not see an offset
        // beyond the end.
        int next = offset + bytes;
        offset = next >= capacity ? 0 : next;
        LaneLayout.wordRelease(memory, LaneLayout.HEAD_AT, head);
    }
}
