package org.ulfmj.transport.tcp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameLayout;

/**
 * The frames of one lane from being offered until they are acknowledged, as the envelopes in which they travel, in a
 * ring of direct memory: what is written to the channel is written from here.
 *
 * <p>Three positions only ever grow: {@code head} (oldest frame kept), {@code cursor} (next to be written),
 * {@code tail}. A frame never wraps; where one does not fit before the end of the ring, a marker says how far to skip.
 * The ring doubles up to its limit. A payload that is borrowed has its room in the ring like any other, which stays
 * empty until it is to be given back. Sequence 0 in an envelope means that it was never written.
 */
final class FrameRing {
    static final int INITIAL_BYTES = 32 * 1024;
    /** Of an envelope: where the payload of its frame begins. */
    static final int PAYLOAD_AT = LinkEnvelope.BYTES + FrameLayout.HEADER_BYTES;
    /** Shorter payloads are copied in no more time than it takes to keep account of them. */
    private static final int SMALLEST_BORROWED_BYTES = 64 * 1024;

    private static final int MARKER = -1;

    private final int maxBytes;
    private final CRC32C crc = new CRC32C();
    /** Payloads that are sent from where they lie; null until the first one. */
    private BorrowedPayloads borrowed;

    private ByteBuffer ring;
    /** Another view of the ring, to be positioned freely. */
    private ByteBuffer view;

    private long head;
    private long cursor;
    private long tail;

    /** @param maxBytes a power of two; {@link Integer#MAX_VALUE} for a lane that is never full */
    FrameRing(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * Whether the frame found room.
     *
     * @param mayBorrow where the frame allows it
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

    /** What a frame's payload may be sent from; null if it is to be copied. */
    private ByteBuffer memoryOf(Frame frame) {
        boolean isWorthIt = frame.isBorrowable() && frame.payloadBytes() >= SMALLEST_BORROWED_BYTES;
        // Nothing could be written behind it to fill a gap.
        boolean endsEven = LinkEnvelope.padded(frame.payloadBytes()) == frame.payloadBytes();
        boolean hasPlace = borrowed == null || !borrowed.isFull();
        return isWorthIt && endsEven && hasPlace ? frame.payload().memory() : null;
    }

    /** Whether nothing that lies elsewhere is still needed. */
    boolean hasAllPayloads() {
        return borrowed == null || borrowed.isEmpty();
    }

    /** Takes all borrowed payloads in: none is read where it lay any more. */
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

    /** The last bytes of a payload that was taken in, in its own view. */
    ByteBuffer lastOfPayload(long frameAt, int bytes) {
        int at = offset(frameAt);
        int end = at + LinkEnvelope.BYTES + ring.getInt(at + LinkEnvelope.LENGTH_OFFSET);
        return ring.duplicate().limit(end).position(end - bytes);
    }

    /** Lets {@code tail} be followed by that many bytes in one piece. */
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
        ByteBuffer larger = ByteBuffer.allocateDirect((int) wanted).order(ByteOrder.LITTLE_ENDIAN);
        // A piece that does not cross a multiple of the old capacity does not cross one of the new either.
        for (long from = head; from < tail; ) {
            long to = Math.min(tail, (from / ring.capacity() + 1) * ring.capacity());
            larger.put((int) (from & larger.capacity() - 1), ring, offset(from), (int) (to - from));
            from = to;
        }
        ring = larger;
        view = larger.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        return true;
    }

    private int offset(long position) {
        return (int) (position & ring.capacity() - 1);
    }

    /** Steps over a marker. */
    private long settled(long position) {
        if (position < tail) {
            int at = offset(position);
            if (ring.getInt(at + LinkEnvelope.LENGTH_OFFSET) == MARKER) {
                return position + ring.getInt(at + LinkEnvelope.CRC_OFFSET);
            }
        }
        return position;
    }

    /** Memory of frames that are still to be written. */
    long unwrittenBytes() {
        return tail - cursor;
    }

    /** Whether all that was ever appended has been released. */
    boolean isEmpty() {
        return head == tail;
    }

    boolean hasUnwritten() {
        return nextSequence() >= 0;
    }

    /** Memory of frames that are written and not released. */
    long writtenBytes() {
        return cursor - head;
    }

    /** Sequence of the frame to be written next, 0 if it was never written; −1 if there is none. */
    long nextSequence() {
        cursor = settled(cursor);
        return cursor < tail ? ring.getLong(offset(cursor) + LinkEnvelope.SEQUENCE_OFFSET) : -1;
    }

    /**
     * Where the next frame is in all that ever went through the ring; only after {@link #nextSequence} has found one.
     */
    long nextPosition() {
        return cursor;
    }

    /** Where in the memory the next frame is; only after {@link #nextSequence} has found one. */
    int nextOffset() {
        return offset(cursor);
    }

    /** Completes the next frame's envelope and steps behind it; returns how many bytes it has on the wire. */
    int stamp(long sequence, long ackUpTo) {
        int at = offset(cursor);
        LinkEnvelope.finish(ring, view, at, sequence, ackUpTo, crc);
        int bytes = LinkEnvelope.padded(LinkEnvelope.BYTES + ring.getInt(at + LinkEnvelope.LENGTH_OFFSET));
        cursor += bytes;
        return bytes;
    }

    /** The memory from one offset to another, to be written to a channel; valid until the next call. */
    ByteBuffer bytes(int from, int to) {
        return view.limit(to).position(from);
    }

    /** Gives up the memory of written frames up to a sequence. */
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
    }

    /** Forgets everything and gives the memory up. */
    void clear() {
        head = 0;
        cursor = 0;
        tail = 0;
        ring = null;
        view = null;
        borrowed = null;
    }

    /** Everything that is kept is to be written again, from the oldest frame on. */
    void rewind() {
        cursor = head;
    }
}
