package org.ulfmj.transport.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;
import java.util.zip.CRC32C;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameLayout;
import org.ulfmj.transport.LaneKind;

/**
 * Cuts the byte stream of a connection into envelopes. The memory of a decoder is bounded for any input. A length is
 * checked before room is made for it. No other field takes effect before its bytes were checked: by the crc of the
 * envelope, or, on a connection with encrypted records, by the check of the record.
 */
final class FrameDecoder {
    private static final int INITIAL_BYTES = 64 * 1024;
    private static final int LARGE_BYTES = 2 * LinkEnvelope.MAX_BYTES;
    private static final String WRONG_CHECKSUM = "envelope with a wrong checksum";
    private static final int HEADERS_BYTES = LinkEnvelope.BYTES + FrameLayout.HEADER_BYTES;
    /** A payload of which less than this is missing is collected in the buffer, as a separate read is not worth it. */
    private static final int SMALLEST_REST_BYTES = 32 * 1024;

    private final CRC32C crc = new CRC32C();
    private ByteBuffer buffer = allocate(INITIAL_BYTES);
    /** Another view of the buffer, whose position and limit are changed. */
    private ByteBuffer view = viewOf(buffer);

    private int start;
    private int end;
    /** The length of the envelope at {@code start}, if its header is there and a part of the rest is not; else 0. */
    private int awaited;
    /** Whether the next read takes the headers of the next frame and no byte more. */
    private boolean isHeadersNext;
    /** The position in the buffer up to which the last read could fill it. */
    private int limit;

    private boolean isChecked = true;

    // The fields of the envelope that next() found.
    private int type;
    private int flags;
    private long sequence;
    private long ackUpTo;
    private int frameOffset;
    private int frameBytes;

    /** Forgets all bytes: the next ones are of another connection. */
    void reset() {
        start = 0;
        end = 0;
        awaited = 0;
        isHeadersNext = false;
        isChecked = true;
    }

    /**
     * Turns off the check of the crc: the bytes come out of encrypted records, which were checked, and the envelopes in
     * them have no checksum.
     */
    void trustChecks() {
        isChecked = false;
    }

    /**
     * Reads once from the channel. Returns the number of bytes read; 0 if there are none now, −1 at the end of the
     * stream.
     */
    int read(ReadableByteChannel channel) throws IOException {
        makeRoom();
        limit = isHeadersNext ? end + HEADERS_BYTES : buffer.capacity();
        buffer.limit(limit).position(end);
        int count = channel.read(buffer);
        if (count > 0) {
            end += count;
            isHeadersNext = false;
        }
        return count;
    }

    /** Makes room for the rest of the envelope that begins at {@code start}, so that it lies in one piece. */
    private void makeRoom() {
        if (start == end) {
            start = 0;
            end = 0;
        } else if (awaited > buffer.capacity()) {
            ByteBuffer larger = allocate(LARGE_BYTES);
            move(larger);
            buffer = larger;
            view = viewOf(larger);
        } else if (start + awaited > buffer.capacity() || end == buffer.capacity()) {
            move(buffer);
        }
    }

    private void move(ByteBuffer target) {
        target.put(0, buffer, start, end - start);
        end -= start;
        start = 0;
    }

    /** Whether the last {@link #read} got all it had room for, so that more bytes may be waiting in the channel. */
    boolean isFull() {
        return end == limit;
    }

    /**
     * Steps to the next envelope, if it has arrived completely.
     *
     * @throws WireFormatException if no well-formed envelope can come of these bytes
     */
    boolean next() {
        awaited = 0;
        if (end - start < LinkEnvelope.BYTES) {
            return false;
        }
        int bytes = readLength();
        if (end - start < bytes) {
            awaited = bytes;
            return false;
        }
        if (isChecked && !isCrcRight()) {
            throw new WireFormatException(WRONG_CHECKSUM);
        }
        readFields();
        if (type < LinkEnvelope.DATA
                || type > LinkEnvelope.YOU_FAILED
                || (type == LinkEnvelope.DATA) != (frameBytes > 0)) {
            throw new WireFormatException("envelope of type " + type + " around " + frameBytes + " bytes");
        }
        start += bytes;
        return true;
    }

    private boolean isCrcRight() {
        return LinkEnvelope.crcOf(view, start, frameBytes, crc) == buffer.getInt(start + LinkEnvelope.CRC_OFFSET);
    }

    /** Reads the length of the frame in the envelope at {@code start}. Returns the length of the whole envelope. */
    private int readLength() {
        frameBytes = buffer.getInt(start + LinkEnvelope.LENGTH_OFFSET);
        if (frameBytes < 0 || frameBytes > LinkEnvelope.MAX_FRAME_BYTES) {
            throw new WireFormatException("envelope around " + frameBytes + " bytes");
        }
        return LinkEnvelope.padded(LinkEnvelope.BYTES + frameBytes);
    }

    private void readFields() {
        type = buffer.get(start + LinkEnvelope.TYPE_OFFSET);
        flags = buffer.get(start + LinkEnvelope.FLAGS_OFFSET);
        sequence = buffer.getLong(start + LinkEnvelope.SEQUENCE_OFFSET);
        ackUpTo = buffer.getLong(start + LinkEnvelope.ACK_OFFSET);
        frameOffset = start + LinkEnvelope.BYTES;
    }

    /** Whether another envelope has arrived completely. Of its length only the sign is checked. */
    boolean hasNext() {
        if (end - start < LinkEnvelope.BYTES) {
            return false;
        }
        int length = buffer.getInt(start + LinkEnvelope.LENGTH_OFFSET);
        return length >= 0 && end - start >= LinkEnvelope.padded(LinkEnvelope.BYTES + length);
    }

    /**
     * The position in the buffer at which the envelope begins that {@link #next} found last; valid until the next
     * {@link #read}.
     */
    int begin() {
        return frameOffset - LinkEnvelope.BYTES;
    }

    /**
     * Steps back to the envelope that begins at {@code begin}, so that {@link #next} finds it next (a fault for tests).
     */
    void rewind(int begin) {
        start = begin;
    }

    /**
     * Inverts the bit with this index in the part of the next envelope that the checksum covers (a fault for tests).
     */
    void spoil(int bit) {
        int at = start + LinkEnvelope.TYPE_OFFSET + bit / 8;
        buffer.put(at, (byte) (buffer.get(at) ^ 1 << bit % 8));
    }

    // ---- a frame whose payload is read elsewhere

    /**
     * Whether the headers of a frame have arrived, while a long part of its payload is missing, no checksum covers the
     * payload, and no padding follows it. Then the fields are those of this frame, and {@link #frame} has what is here
     * of its payload.
     *
     * @throws WireFormatException if the length of the frame is out of bounds
     */
    boolean hasBegun() {
        if (end - start < HEADERS_BYTES) {
            return false;
        }
        int bytes = readLength();
        boolean endsEven = bytes == LinkEnvelope.BYTES + frameBytes;
        if (!endsEven || bytes - (end - start) < SMALLEST_REST_BYTES) {
            return false;
        }
        readFields();
        boolean isPayloadChecked = isChecked && (flags & LinkEnvelope.FLAG_HEADERS_CHECKED) == 0;
        return type == LinkEnvelope.DATA && !isPayloadChecked && (!isChecked || isCrcRight());
    }

    /** Leaves the rest of the frame that {@link #hasBegun} found to the caller, who reads it from the channel. */
    void leaveRest() {
        start = end;
        awaited = 0;
        isHeadersNext = true;
    }

    /** The buffer of this decoder, for bytes to throw away while a rest is left to the caller. */
    ByteBuffer waste() {
        return buffer.clear();
    }

    int type() {
        return type;
    }

    long sequence() {
        return sequence;
    }

    long ackUpTo() {
        return ackUpTo;
    }

    boolean isAcknowledgeNow() {
        return (flags & LinkEnvelope.FLAG_ACKNOWLEDGE_NOW) != 0;
    }

    LaneKind lane() {
        return (flags & LinkEnvelope.FLAG_CONTROL_LANE) != 0 ? LaneKind.CONTROL : LaneKind.DATA;
    }

    int frameBytes() {
        return frameBytes;
    }

    int payloadBytes() {
        return frameBytes - FrameLayout.HEADER_BYTES;
    }

    /** Reads the frame of the last envelope, as far as the frame has arrived; valid until the next {@link #read}. */
    Frame frame(Frame target) {
        view.limit(Math.min(frameOffset + frameBytes, end)).position(frameOffset);
        return FrameLayout.read(target, view);
    }

    private static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static ByteBuffer viewOf(ByteBuffer memory) {
        return memory.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }
}
