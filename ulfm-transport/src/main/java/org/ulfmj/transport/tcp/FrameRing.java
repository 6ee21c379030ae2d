package org.ulfmj.transport.tcp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameLayout;

/**
 * The frames of one lane from their offer until their acknowledgement. Each is kept in its envelope, in a ring of
 * direct memory from which the channel is written.
 *
 * <p>Three positions grow: {@code head} (the oldest frame that is kept), {@code cursor} (the next frame to be written),
 * {@code tail} (the place of the next frame that is offered). {@link #rewind} sets the cursor back to the head, and
 * {@link #clear} sets all three to 0. A frame never wraps: if a frame does not fit before the end of the ring, a marker
 * says how many bytes to skip. The ring doubles its size up to a limit. A borrowed payload has room in the ring like
 * any other; the room stays empty unless the payload is {@linkplain #takeInBorrowed copied there}. Sequence 0 in an
 * envelope means that the envelope was never written.
 */
final class FrameRing {
    static final int INITIAL_BYTES = 32 * 1024;
    /** The offset in an envelope at which the payload of its frame begins. */
    static final int PAYLOAD_AT = LinkEnvelope.BYTES + FrameLayout.HEADER_BYTES;
    /** The shortest payload that is borrowed. */
    private static final int SMALLEST_BORROWED_BYTES = 64 * 1024;

    private static final int MARKER = -1;

    private final int maxBytes;
    /** The memory of all links, from which this ring takes its own; null for a ring that is never full. */
    private final LinkMemory memory;

    private final CRC32C crc = new CRC32C();
    /** Whether frames whose envelopes are completed from now on get a checksum. */
    private boolean isChecked = true;
    /** Payloads that are sent from the program's memory; null until the first one since the last {@link #clear}. */
    private BorrowedPayloads borrowed;

    private ByteBuffer ring;
    /** Another view of {@link #ring}, whose position and limit may be changed. */
    private ByteBuffer view;

    private long head;
    private long cursor;
    private long tail;

    /** A ring that is never full. */
    FrameRing() {
        this(Integer.MAX_VALUE, null);
    }

    /** @param maxBytes a power of two */
    FrameRing(int maxBytes, LinkMemory memory) {
        this.maxBytes = maxBytes;
        this.memory = memory;
    }

    /**
     * Appends a frame. Returns whether there was room.
     *
     * @param mayBorrow whether the payload may be sent from the program's memory, if the frame allows it
     */
    boolean append(Frame frame, int envelopeFlags, boolean mayBorrow) {
        int frameBytes = FrameLayout.totalBytes(frame);
        int bytes = LinkEnvelope.padded(LinkEnvelope.BYTES + frameBytes);
        if (!makeRoom(bytes)) {
            return false;
        }
        int at = offset(tail);
        LinkEnvelope.begin(ring, at, LinkEnvelope.DATA, envelopeFlags, frameBytes);
        ring.putLong(at + LinkEnvelope.SEQUENCE_OFFSET, 0);
        ring.position(at + LinkEnvelope.BYTES);
        ByteBuffer memory = mayBorrow ? memoryOf(frame) : null;
        if (memory == null) {
            FrameLayout.write(frame, ring);
        } else {
            FrameLayout.writeHeader(frame, ring);
            int offset = frame.payload().memoryOffset() + (int) frame.payloadOffset();
            if (borrowed == null) {
                borrowed = new BorrowedPayloads();
            }
            borrowed.add(tail, memory, offset, frame.payloadBytes());
        }
        ring.clear();
        tail += bytes;
        return true;
    }

    /** The program's memory that the frame's payload is to be sent from; null if the payload is to be copied. */
    private ByteBuffer memoryOf(Frame frame) {
        boolean isWorthIt = frame.isBorrowable() && frame.payloadBytes() >= SMALLEST_BORROWED_BYTES;
        // No padding can be written behind a borrowed payload, so its length must be a multiple of eight.
        boolean endsEven = LinkEnvelope.padded(frame.payloadBytes()) == frame.payloadBytes();
        boolean hasPlace = borrowed == null || !borrowed.isFull();
        return isWorthIt && endsEven && hasPlace ? frame.payload().memory() : null;
    }

    /** Whether every payload of the ring lies in the ring, and none is borrowed from the program's memory. */
    boolean hasAllPayloads() {
        return borrowed == null || borrowed.isEmpty();
    }

    /** Copies all borrowed payloads into the ring. The program's memory is not read any more. */
    void takeInBorrowed() {
        if (!hasAllPayloads()) {
            borrowed.copyInto(this);
            borrowed.release(Long.MAX_VALUE);
        }
    }

    void putPayload(long frameAt, ByteBuffer memory, int from, int length) {
        ring.put(offset(frameAt) + PAYLOAD_AT, memory, from, length);
    }

    /** Whether the payload of the next frame is borrowed; only after {@link #nextSequence} has found one. */
    boolean borrowsNext() {
        return !hasAllPayloads() && borrowed.of(cursor) >= 0;
    }

    /**
     * The borrowed payload of the next frame, to be written to a channel after {@link #PAYLOAD_AT} bytes of its
     * envelope.
     */
    ByteBuffer nextBorrowed() {
        return borrowed.bytes(borrowed.of(cursor));
    }

    /** A new view of the last bytes of a payload that was copied into the ring. */
    ByteBuffer lastOfPayload(long frameAt, int bytes) {
        int at = offset(frameAt);
        int end = at + LinkEnvelope.BYTES + ring.getInt(at + LinkEnvelope.LENGTH_OFFSET);
        return ring.duplicate().limit(end).position(end - bytes);
    }

    /** Makes room behind {@code tail} for that many bytes in one piece. Returns whether there is room. */
    private boolean makeRoom(int bytes) {
        while (true) {
            if (ring != null) {
                int toEnd = ring.capacity() - offset(tail);
                int skip = toEnd < bytes ? toEnd : 0;
                if (tail + skip + bytes - head <= ring.capacity()) {
                    if (skip > 0) {
                        skipTo(tail + skip);
                    }
                    return true;
                }
            }
            if (!grow(bytes)) {
                return false;
            }
        }
    }

    private void skipTo(long position) {
        int at = offset(tail);
        ring.putInt(at + LinkEnvelope.CRC_OFFSET, (int) (position - tail));
        ring.putInt(at + LinkEnvelope.LENGTH_OFFSET, MARKER);
        tail = position;
    }

    private boolean grow(int bytes) {
        long wanted = ring == null ? INITIAL_BYTES : 2L * ring.capacity();
        while (wanted < bytes) {
            wanted *= 2;
        }
        if (wanted > maxBytes) {
            if (maxBytes == Integer.MAX_VALUE) {
                throw new IllegalStateException(
                        "more than " + ring.capacity() + " bytes of control frames wait for one peer");
            }
            return false;
        }
        ByteBuffer larger = memory == null
                ? ByteBuffer.allocateDirect((int) wanted).order(ByteOrder.LITTLE_ENDIAN)
                : memory.take((int) wanted, isEmpty());
        if (larger == null) {
            return false;
        }
        // A piece that crosses no multiple of the old capacity crosses no multiple of the new one either, so it is
        // copied in one piece.
        for (long from = head; from < tail; ) {
            long to = Math.min(tail, (from / ring.capacity() + 1) * ring.capacity());
            larger.put((int) (from & larger.capacity() - 1), ring, offset(from), (int) (to - from));
            from = to;
        }
        if (ring != null && memory != null) {
            // A run of frames that the socket has taken in part may still be written from the old ring.
            memory.leave(ring);
        }
        ring = larger;
        view = larger.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        return true;
    }

    private void giveMemory() {
        if (ring != null && memory != null) {
            memory.give(ring);
        }
        ring = null;
        view = null;
    }

    private int offset(long position) {
        return (int) (position & ring.capacity() - 1);
    }

    /** The position of the next frame at or behind a position: steps over a marker. */
    private long settled(long position) {
        if (position < tail) {
            int at = offset(position);
            if (ring.getInt(at + LinkEnvelope.LENGTH_OFFSET) == MARKER) {
                return position + ring.getInt(at + LinkEnvelope.CRC_OFFSET);
            }
        }
        return position;
    }

    /** The bytes of the frames that are still to be written. */
    long unwrittenBytes() {
        return tail - cursor;
    }

    /** Whether all frames that were appended have been released. */
    boolean isEmpty() {
        return head == tail;
    }

    boolean hasUnwritten() {
        return nextSequence() >= 0;
    }

    /** The bytes of the frames that are written and not released. */
    long writtenBytes() {
        return cursor - head;
    }

    /**
     * The sequence number of the frame to be written next; 0 if the frame was never written, −1 if there is no such
     * frame.
     */
    long nextSequence() {
        cursor = settled(cursor);
        return cursor < tail ? ring.getLong(offset(cursor) + LinkEnvelope.SEQUENCE_OFFSET) : -1;
    }

    /**
     * The position of the next frame, counted in bytes from the first frame of the ring on; only after
     * {@link #nextSequence} has found one.
     */
    long nextPosition() {
        return cursor;
    }

    /** The position behind the last frame. */
    long end() {
        return tail;
    }

    /**
     * Whether the frame that ends at this position of the ring still has to be written, for the first time or again
     * after a {@link #rewind}.
     */
    boolean isUnwritten(long end) {
        return cursor < end;
    }

    /** The offset of the next frame in the memory; only after {@link #nextSequence} has found one. */
    int nextOffset() {
        return offset(cursor);
    }

    /** Sets whether frames whose envelopes are completed from now on get a checksum. */
    void check(boolean newIsChecked) {
        isChecked = newIsChecked;
    }

    /**
     * Completes the envelope of the next frame and steps to the frame behind it. Returns how many bytes the envelope
     * has on the wire.
     */
    int stamp(long sequence, long ackUpTo) {
        int at = offset(cursor);
        LinkEnvelope.finish(ring, view, at, sequence, ackUpTo, isChecked ? crc : null);
        int bytes = LinkEnvelope.padded(LinkEnvelope.BYTES + ring.getInt(at + LinkEnvelope.LENGTH_OFFSET));
        cursor += bytes;
        return bytes;
    }

    /** The memory from one offset to another, to be written to a channel; valid until the next call. */
    ByteBuffer bytes(int from, int to) {
        return view.limit(to).position(from);
    }

    /** Releases the memory of the written frames up to a sequence number. */
    void release(long upTo) {
        while (true) {
            head = Math.min(settled(head), cursor);
            if (head >= cursor || ring.getLong(offset(head) + LinkEnvelope.SEQUENCE_OFFSET) > upTo) {
                break;
            }
            head += LinkEnvelope.padded(LinkEnvelope.BYTES + ring.getInt(offset(head) + LinkEnvelope.LENGTH_OFFSET));
        }
        if (!hasAllPayloads()) {
            borrowed.release(head);
        }
        if (memory != null && isEmpty() && memory.isScarce()) {
            giveMemory();
        }
    }

    /** Forgets all frames and releases the memory. */
    void clear() {
        head = 0;
        cursor = 0;
        tail = 0;
        giveMemory();
        borrowed = null;
    }

    /** Lets all kept frames be written again, from the oldest on. */
    void rewind() {
        cursor = head;
    }
}
