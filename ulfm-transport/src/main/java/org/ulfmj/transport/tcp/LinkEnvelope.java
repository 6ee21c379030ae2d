package org.ulfmj.transport.tcp;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameLayout;

/**
 * The envelopes that a connection carries after its handshake. Those of the type DATA hold a {@link Frame}.
 *
 * <pre>
 *   0         1         2                   4                   8
 *   +---------------------------------------+-------------------+
 *   | crc32c of all that follows            | length of frame   |
 *   +---------+---------+-------------------+-------------------+
 *   | type    | flags   | zero                                  |
 *   +---------+---------+---------------------------------------+
 *   | sequence                                                  |
 *   +-----------------------------------------------------------+
 *   | acknowledged up to                                        |
 *   +-----------------------------------------------------------+
 *   | frame …                                                   |
 * </pre>
 *
 * Little endian. With {@link #FLAG_HEADERS_CHECKED} the crc covers the envelope and the frame's header alone. On a
 * connection that carries encrypted records, which are checked by themselves, the crc is 0. Envelopes start at
 * multiples of 8 bytes; up to 7 bytes without meaning fill the gap. Only DATA has a frame and a sequence.
 */
final class LinkEnvelope {
    static final int BYTES = 32;
    static final int MAX_FRAME_BYTES = FrameLayout.HEADER_BYTES + Frame.MAX_PAYLOAD_BYTES;
    static final int MAX_BYTES = padded(BYTES + MAX_FRAME_BYTES);

    static final int DATA = 1;
    static final int ACK = 2;
    static final int YOU_FAILED = 3;

    static final int FLAG_CONTROL_LANE = 1;
    static final int FLAG_ACKNOWLEDGE_NOW = 2;
    /**
     * Flag of an envelope with a long payload that does not leave the host: the crc does not cover the payload. The
     * bytes go from memory to memory, as in a lane of shared memory, and computing a checksum would read them once
     * more.
     */
    static final int FLAG_HEADERS_CHECKED = 4;

    static final int CRC_OFFSET = 0;
    static final int LENGTH_OFFSET = 4;
    static final int TYPE_OFFSET = 8;
    static final int FLAGS_OFFSET = 9;
    static final int SEQUENCE_OFFSET = 16;
    static final int ACK_OFFSET = 24;

    private LinkEnvelope() {}

    static int padded(int bytes) {
        return (bytes + 7) & ~7;
    }

    /** Writes all fields of an envelope but crc, sequence and acknowledgement. */
    static void begin(ByteBuffer target, int at, int type, int flags, int frameBytes) {
        target.putInt(at + LENGTH_OFFSET, frameBytes);
        target.putLong(at + TYPE_OFFSET, type | flags << 8);
    }

    /**
     * Writes the crc, sequence and acknowledgement of an envelope. {@code view} is another view of the memory of
     * {@code target}; its position and limit are changed.
     *
     * @param crc null on a connection that carries records
     */
    static void finish(ByteBuffer target, ByteBuffer view, int at, long sequence, long ackUpTo, CRC32C crc) {
        target.putLong(at + SEQUENCE_OFFSET, sequence);
        target.putLong(at + ACK_OFFSET, ackUpTo);
        target.putInt(at + CRC_OFFSET, crc == null ? 0 : crcOf(view, at, target.getInt(at + LENGTH_OFFSET), crc));
    }

    /** The crc of the envelope at {@code at}. Changes position and limit of {@code view}. */
    static int crcOf(ByteBuffer view, int at, int frameBytes, CRC32C crc) {
        boolean isWhole = (view.clear().get(at + FLAGS_OFFSET) & FLAG_HEADERS_CHECKED) == 0;
        int checkedBytes = isWhole ? frameBytes : Math.min(frameBytes, FrameLayout.HEADER_BYTES);
        view.limit(at + BYTES + checkedBytes).position(at + LENGTH_OFFSET);
        crc.reset();
        crc.update(view);
        return (int) crc.getValue();
    }
}
