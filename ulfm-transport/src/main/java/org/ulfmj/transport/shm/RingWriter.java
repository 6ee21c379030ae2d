package org.ulfmj.transport.shm;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameLayout;

/**
 * The sender's end of one ring ({@link LaneLayout}). Never waits: what does not fit is not written. What the receiver
 * says of itself, its head, is believed only as far as the ring's own limits: at worst it loses what was sent to it.
 */
final class RingWriter {
    /**
     * After this many bytes the writer looks whether all was read, and if so goes on at the start: as long as the
     * receiver keeps up, a large ring takes no more of the caches than a small one.
     */
    private static final int REWIND_BYTES = 32 * 1024;

    private static final int LINE_BYTES = 64;
    /** What is fetched at a time, in front of the writer. */
    private static final int LINES_AHEAD = 4;

    private final ByteBuffer memory;
    /** Another view of the same, little endian, with its own position. */
    private final ByteBuffer view;

    private final int capacity;
    private long tail;
    private int offset;
    /** The receiver's head when it was last looked at. */
    private long head;
    /** The tail when it was last looked at for the sake of a rewind. */
    private long rewindLook;
    /** Once the writer is here the lines in front of it are those of the receiver, for all that is known. */
    private int fetchAt;

    private boolean isWishing;

    /** @param memory zeroed; the receiver sees the same */
    RingWriter(ByteBuffer memory) {
        this.memory = memory;
        this.view = memory.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        this.capacity = (memory.capacity() - LaneLayout.RECORDS_AT) & -LaneLayout.WORD_BYTES;
    }

    /** Whether a frame of this many bytes fits wherever the ring stands, once it is empty. */
    boolean canHold(int frameBytes) {
        return LaneLayout.recordBytes(frameBytes) + LaneLayout.WORD_BYTES <= capacity / 2;
    }

    /** Whether there was room. */
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

    /** Writes a frame that was put into bytes before; whether there was room. */
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

    /** Writes a piece of a frame; whether there was room. */
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

    /** Most bytes of a frame that {@link #writePart} can ever take. */
    int maxPartBytes() {
        return (capacity / 2 & -LaneLayout.WORD_BYTES)
                - 2 * LaneLayout.WORD_BYTES
                - LaneLayout.PART_HEADER_BYTES
                - LaneLayout.WORD_BYTES;
    }

    /** The lane goes on in another file. There is always room for this, and nothing can be written after it. */
    void replaceBy(long fileId) {
        memory.putLong(LaneLayout.SUCCESSOR_AT, fileId);
        end(LaneLayout.REPLACED);
    }

    /** The receiver is excluded. There is always room for this, and nothing can be written after it. */
    void exclude() {
        end(LaneLayout.EXCLUDED);
    }

    /** Whether the receiver has read everything, a last record too. */
    boolean isAllRead() {
        return LaneLayout.wordAcquire(memory, LaneLayout.HEAD_AT) >= tail;
    }

    /**
     * Asks the receiver to ring when it has read something; whether it did not know before. Then another attempt is in
     * order, for it may have read in between.
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

    /** Whether the receiver has read something since there was no room. Also for a thread that does not write. */
    boolean mayHaveRoom() {
        return LaneLayout.wordAcquire(memory, LaneLayout.HEAD_AT) != head;
    }

    /**
     * Takes the lines that are written next out of the receiver's cache, which has read what they held before. Several
     * together take no longer than one, and so a row of short records waits once where each would have waited. To be
     * called when no process waits for what was written: a processor stores in order, so also a commit behind this
     * would have to wait.
     */
    void fetchAhead() {
        if (offset < fetchAt) {
            return;
        }
        int free = (int) Math.min(capacity - offset, capacity - (tail - head));
        // Where the receiver looks for the next record it looks all the time: that line stays with it.
        int line = offset + LINE_BYTES & -LINE_BYTES;
        int end = Math.min(line + LINES_AHEAD * LINE_BYTES, offset + free & -LINE_BYTES);
        for (; line < end; line += LINE_BYTES) {
            memory.putLong(LaneLayout.RECORDS_AT + line, 0); // nothing is there that anybody reads, or will read
        }
        fetchAt = line - LINE_BYTES;
    }

    /** Lets {@code offset} be followed by this many bytes in one piece, and by the zero of the next commit word. */
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
     * Makes the next commit word zero; returns where it is. Before the body, not behind it: the receiver looks at the
     * line of this record all the time, and would take it away from us while we wait for that of the next one.
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

    /** The word at the tail is zero and ours since the record before it was committed. */
    private void end(int kind) {
        publish(kind, 0);
        tail += LaneLayout.WORD_BYTES;
    }

    private void publish(int kind, int bodyBytes) {
        LaneLayout.wordRelease(memory, LaneLayout.RECORDS_AT + offset, LaneLayout.commitWord(kind, bodyBytes, tail));
    }
}
