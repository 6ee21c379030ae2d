package org.ulfmj.transport.shm;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameLayout;
import org.ulfmj.transport.Payload;

/**
 * The sender's end of one ring ({@link LaneLayout}). It never waits: a record that does not fit is not written. The
 * receiver's head is the only value that the writer takes from the receiver, and a wrong head never makes the writer
 * leave the ring: at worst the receiver loses frames that were sent to it.
 */
final class RingWriter {
    /**
     * After this many bytes the writer looks whether the receiver has read everything, and if so goes on at the start
     * of the ring. So as long as the receiver keeps up, a large ring takes no more of the caches than a small one.
     */
    private static final int REWIND_BYTES = 32 * 1024;

    private static final int LINE_BYTES = 64;
    /** How many cache lines in front of the writer are fetched at a time. */
    private static final int LINES_AHEAD = 4;

    private final ByteBuffer memory;
    /** Another view of {@link #memory}, little endian, with its own position. */
    private final ByteBuffer view;

    private final int capacity;
    private long tail;
    private int offset;
    /** The receiver's head, as the writer read it last. */
    private long head;
    /** The tail at the writer's last attempt to go on at the start of the ring. */
    private long rewindLook;
    /** The offset from which on {@link #fetchAhead} fetches lines again. */
    private int fetchAt;

    private boolean isWishing;

    /** @param memory the memory of the ring, filled with zeros, which the receiver maps too, perhaps later */
    RingWriter(ByteBuffer memory) {
        this.memory = memory;
        this.view = memory.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        this.capacity = (memory.capacity() - LaneLayout.RECORDS_AT) & -LaneLayout.WORD_BYTES;
    }

    /** Whether the empty ring can hold a frame of this many bytes at any offset. */
    boolean canHold(int frameBytes) {
        return LaneLayout.recordBytes(frameBytes) + LaneLayout.WORD_BYTES <= capacity / 2;
    }

    /** Writes a frame. Returns whether there was room. */
    boolean write(Frame frame) {
        int kind = LaneLayout.kindFor(frame);
        int bodyBytes = LaneLayout.bodyBytesFor(kind, frame.payloadBytes());
        int bytes = LaneLayout.recordBytes(bodyBytes);
        if (!makeRoom(bytes)) {
            return false;
        }
        int next = clearNext(bytes);
        view.position(LaneLayout.RECORDS_AT + offset + LaneLayout.WORD_BYTES);
        switch (kind) {
            case LaneLayout.BRIEF -> FrameLayout.writeBrief(frame, view);
            case LaneLayout.BARE -> FrameLayout.writeBare(frame, view);
            default -> FrameLayout.write(frame, view);
        }
        commit(kind, bodyBytes, bytes, next);
        return true;
    }

    /** Writes the record of a brief frame. Returns whether there was room. */
    boolean writeBrief(long header, long communicator, Payload message, int lengthBytes) {
        int bodyBytes = FrameLayout.BRIEF_HEADER_BYTES + lengthBytes;
        int bytes = LaneLayout.recordBytes(bodyBytes);
        if (!makeRoom(bytes)) {
            return false;
        }
        int next = clearNext(bytes);
        int at = LaneLayout.RECORDS_AT + offset + LaneLayout.WORD_BYTES;
        view.putLong(at, header);
        view.putLong(at + Long.BYTES, communicator);
        if (lengthBytes > 0) {
            view.limit(at + bodyBytes).position(at + FrameLayout.BRIEF_HEADER_BYTES);
            try {
                message.copyOut(0, view);
            } finally {
                view.limit(view.capacity());
            }
        }
        commit(LaneLayout.BRIEF, bodyBytes, bytes, next);
        return true;
    }

    /** Writes a frame that is given as its bytes, with the full header. Returns whether there was room. */
    boolean write(byte[] frame) {
        int bytes = LaneLayout.recordBytes(frame.length);
        if (!makeRoom(bytes)) {
            return false;
        }
        int next = clearNext(bytes);
        view.position(LaneLayout.RECORDS_AT + offset + LaneLayout.WORD_BYTES);
        view.put(frame);
        commit(LaneLayout.FRAME, frame.length, bytes, next);
        return true;
    }

    /** Writes a part of a frame. Returns whether there was room. */
    boolean writePart(byte[] frame, int from, int count) {
        int bodyBytes = LaneLayout.PART_HEADER_BYTES + count;
        int bytes = LaneLayout.recordBytes(bodyBytes);
        if (!makeRoom(bytes)) {
            return false;
        }
        int next = clearNext(bytes);
        view.position(LaneLayout.RECORDS_AT + offset + LaneLayout.WORD_BYTES);
        view.putInt(frame.length).putInt(from).put(frame, from, count);
        commit(LaneLayout.PART, bodyBytes, bytes, next);
        return true;
    }

    /** The most bytes of a frame that are given to {@link #writePart} at once: the empty ring has room for them. */
    int maxPartBytes() {
        return (capacity / 2 & -LaneLayout.WORD_BYTES)
                - 2 * LaneLayout.WORD_BYTES
                - LaneLayout.PART_HEADER_BYTES
                - LaneLayout.WORD_BYTES;
    }

    /**
     * Writes the last record of this file: the lane goes on in another file. There is always room for this record. No
     * record may be written after it.
     */
    void replaceBy(long fileId) {
        memory.putLong(LaneLayout.SUCCESSOR_AT, fileId);
        end(LaneLayout.REPLACED);
    }

    /**
     * Writes the last record of the lane: the sender has marked the receiver failed. There is always room for this
     * record. No record may be written after it.
     */
    void exclude() {
        end(LaneLayout.EXCLUDED);
    }

    /** Whether the receiver has read all records, including a last one. */
    boolean isAllRead() {
        return LaneLayout.wordAcquire(memory, LaneLayout.HEAD_AT) >= tail;
    }

    /**
     * Asks the receiver to ring the bell when it has read something. Returns false if that request still stands; a
     * record that finds room withdraws it. If this returns true, the caller tries once more to write, because the
     * receiver may have read something before it saw the request.
     */
    boolean wishForRoom() {
        if (isWishing) {
            return false;
        }
        isWishing = true;
        LaneLayout.wordRelease(memory, LaneLayout.WISH_AT, 1);
        VarHandle.fullFence();
        return true;
    }

    /** Whether the receiver has read something since the writer last looked how far it has read. Any thread. */
    boolean mayHaveRoom() {
        return LaneLayout.wordAcquire(memory, LaneLayout.HEAD_AT) != head;
    }

    /**
     * Fetches the cache lines that will be written next from the receiver's cache, which holds them since the receiver
     * read them. Fetching several lines together takes no longer than fetching one, so a row of short records waits
     * once instead of once per record. To be called between records, not right before a commit: a processor stores in
     * order, so that commit would have to wait for the lines.
     */
    void fetchAhead() {
        if (offset < fetchAt) {
            return;
        }
        int free = (int) Math.min(capacity - offset, capacity - (tail - head));
        // The receiver reads the line of the next commit word all the time, so that line is left in its cache.
        int line = offset + LINE_BYTES & -LINE_BYTES;
        int end = Math.min(line + LINES_AHEAD * LINE_BYTES, offset + free & -LINE_BYTES);
        for (; line < end; line += LINE_BYTES) {
            memory.putLong(LaneLayout.RECORDS_AT + line, 0); // free memory, which the receiver does not read
        }
        fetchAt = line - LINE_BYTES;
    }

    /**
     * Makes room at {@code offset} for a record of this many bytes in one piece, and for the zero in place of the next
     * commit word. Returns whether there is room.
     */
    private boolean makeRoom(int bytes) {
        int toEnd = capacity - offset;
        int skip = toEnd < bytes || tail - rewindLook >= REWIND_BYTES && canRewind(bytes) ? toEnd : 0;
        long neededUpTo = tail + skip + bytes + LaneLayout.WORD_BYTES;
        if (neededUpTo - head > capacity) {
            head = LaneLayout.wordAcquire(memory, LaneLayout.HEAD_AT);
            if (neededUpTo - head > capacity) {
                return false;
            }
        }
        if (isWishing) {
            isWishing = false;
            LaneLayout.wordRelease(memory, LaneLayout.WISH_AT, 0);
        }
        if (skip > 0) {
            memory.putLong(LaneLayout.RECORDS_AT, 0);
            publish(LaneLayout.SKIP, 0);
            tail += skip;
            offset = 0;
            fetchAt = 0;
        }
        return true;
    }

    private boolean canRewind(int bytes) {
        rewindLook = tail;
        head = LaneLayout.wordAcquire(memory, LaneLayout.HEAD_AT);
        return head == tail && bytes + LaneLayout.WORD_BYTES <= offset;
    }

    /**
     * Writes a zero in place of the next commit word, and returns its offset. This is done before the body is written,
     * not after: the receiver reads the line of this record all the time, and would take the line back while the writer
     * waits for the line of the next commit word.
     */
    private int clearNext(int recordBytes) {
        int next = offset + recordBytes == capacity ? 0 : offset + recordBytes;
        memory.putLong(LaneLayout.RECORDS_AT + next, 0);
        return next;
    }

    private void commit(int kind, int bodyBytes, int recordBytes, int next) {
        publish(kind, bodyBytes);
        tail += recordBytes;
        if (next < offset) {
            fetchAt = 0;
        }
        offset = next;
    }

    /**
     * Writes a record without a body at the tail. There is always room: the word at the tail is zero and belongs to the
     * sender since the record before was committed.
     */
    private void end(int kind) {
        publish(kind, 0);
        tail += LaneLayout.WORD_BYTES;
    }

    private void publish(int kind, int bodyBytes) {
        LaneLayout.wordRelease(memory, LaneLayout.RECORDS_AT + offset, LaneLayout.commitWord(kind, bodyBytes, tail));
    }
}
