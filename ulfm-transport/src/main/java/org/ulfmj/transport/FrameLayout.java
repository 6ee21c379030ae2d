package org.ulfmj.transport;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.protocol.WireFormatException;

/**
 * How a {@link Frame} travels: a header of {@link #HEADER_BYTES}, and the payload.
 *
 * <pre>
 *   0         1         2                   4                   8
 *   +---------+---------+-------------------+-------------------+
 *   | type    | stream  | flags             | tag               |
 *   +---------+---------+-------------------+-------------------+
 *   | communicator                                              |
 *   +---------------------------------------+-------------------+
 *   | source (rank)                         | sequence          |
 *   +---------------------------------------+-------------------+
 *   | length                                                    |
 *   +-----------------------------------------------------------+
 *   | id: handshake of the sender                               |
 *   +-----------------------------------------------------------+
 *   | peerId: handshake of the receiver                         |
 *   +-----------------------------------------------------------+
 *   | payload …                                                 |
 * </pre>
 *
 * Each field is named after its use in most types. These types use a field for another value:
 *
 * <pre>
 *   EAGER, RTS    length: of the message            description: peerId
 *   RTS, lent     peerId: lent memory of the sender; sequence: offset there;
 *                 payload: the sender's count for taking it back
 *   CHUNK         length: position of the piece
 *   SYNC_ACK      length: bytes copied              NACK   tag: error class
 *   CREDIT        length: bytes                     MAY_ANNOUNCE   length: messages
 *   DIVIDE        communicator: board; length: number of the division;
 *                 peerId: lent memory of the receiver; tag: offset there
 * </pre>
 *
 * A short message that uses no other field ({@link #isBrief}) may be written with a header of
 * {@link #BRIEF_HEADER_BYTES}:
 *
 * <pre>
 *   0         1                             4                   8
 *   +---------+-----------------------------+-------------------+
 *   | stream  | source (rank)               | tag               |
 *   +---------+-----------------------------+-------------------+
 *   | communicator                                              |
 *   +-----------------------------------------------------------+
 *   | payload …                                                 |
 * </pre>
 *
 * All numbers of the header are little endian.
 */
public final class FrameLayout {
    public static final int HEADER_BYTES = 48;
    /** The length of the header in words of eight bytes. */
    public static final int HEADER_WORDS = HEADER_BYTES / Long.BYTES;
    /** The length of the header of a frame that {@link #isBrief}. */
    public static final int BRIEF_HEADER_BYTES = 16;

    static final int MAX_BRIEF_PAYLOAD_BYTES = 256;
    private static final int BRIEF_SOURCE_BITS = 24;
    private static final int COMMUNICATOR_AT = 8;
    private static final int SOURCE_AT = 16;
    private static final int LENGTH_AT = 24;
    private static final int ID_AT = 32;
    private static final int PEER_ID_AT = 40;

    private FrameLayout() {}

    /** The length of the frame with a header of {@link #HEADER_BYTES} and its payload. */
    public static int totalBytes(Frame frame) {
        return HEADER_BYTES + frame.payloadBytes();
    }

    /** Writes header and payload at the position of {@code target}, which must be little endian with room for both. */
    public static void write(Frame frame, ByteBuffer target) {
        writeHeader(frame, target);
        frame.copyPayloadTo(target);
    }

    /** As {@link #write}, without the payload. */
    public static void writeHeader(Frame frame, ByteBuffer target) {
        int at = target.position();
        target.putLong(at, firstWord(frame));
        target.putLong(at + COMMUNICATOR_AT, frame.communicator);
        target.putLong(at + SOURCE_AT, thirdWord(frame));
        target.putLong(at + LENGTH_AT, frame.length);
        target.putLong(at + ID_AT, frame.id);
        target.putLong(at + PEER_ID_AT, frame.peerId);
        target.position(at + HEADER_BYTES);
    }

    private static long firstWord(Frame frame) {
        return frame.type.ordinal()
                | (frame.stream & 0xffL) << 8
                | (frame.flags & 0xffffL) << 16
                | (long) frame.tag << Integer.SIZE;
    }

    private static long thirdWord(Frame frame) {
        return frame.source & 0xffff_ffffL | (long) frame.sequence << Integer.SIZE;
    }

    /** A word of the header by its number, from 0 to below {@link #HEADER_WORDS}. */
    public static long headerWord(Frame frame, int number) {
        return switch (number) {
            case 0 -> firstWord(frame);
            case 1 -> frame.communicator;
            case 2 -> thirdWord(frame);
            case 3 -> frame.length;
            case 4 -> frame.id;
            default -> frame.peerId;
        };
    }

    /**
     * Whether {@link #writeBrief} can write the frame without losing a field: the frame is a short whole message, its
     * source fits into the short header, and its flags, sequence and both handshake ids are zero.
     */
    public static boolean isBrief(Frame frame) {
        return frame.type == FrameType.EAGER
                && frame.payloadBytes() <= MAX_BRIEF_PAYLOAD_BYTES
                && frame.length == frame.payloadBytes()
                && (frame.flags | frame.sequence) == 0
                && (frame.id | frame.peerId) == 0
                && isBriefSource(frame.source);
    }

    /** The first word of the short header. The tag is its upper half; stream and source are in its lower half. */
    public static long briefHeader(int stream, int source, int tag) {
        return stream & 0xffL | (long) source << Byte.SIZE | (long) tag << Integer.SIZE;
    }

    /** Whether a rank of this number fits into the short header. */
    public static boolean isBriefSource(int source) {
        return source >>> BRIEF_SOURCE_BITS == 0;
    }

    /** As {@link #write}, with the short header. Only for a frame that {@link #isBrief}. */
    public static void writeBrief(Frame frame, ByteBuffer target) {
        int at = target.position();
        target.putLong(at, briefHeader(frame.stream, frame.source, frame.tag));
        target.putLong(at + COMMUNICATOR_AT, frame.communicator);
        target.position(at + BRIEF_HEADER_BYTES);
        frame.copyPayloadTo(target);
    }

    /**
     * Whether {@link #writeBare} can write the frame without losing a field: the frame is a short CONTROL frame, and
     * all other fields are zero, except for the flag UNHURRIED.
     */
    public static boolean isBare(Frame frame) {
        return frame.type == FrameType.CONTROL
                && frame.payloadBytes() <= MAX_BRIEF_PAYLOAD_BYTES
                && (frame.flags & ~Frame.UNHURRIED | frame.stream | frame.tag | frame.source | frame.sequence) == 0
                && (frame.communicator | frame.length | frame.id | frame.peerId) == 0;
    }

    /** As {@link #write}, without a header. The flag UNHURRIED is lost: only the sender's medium needs it. */
    public static void writeBare(Frame frame, ByteBuffer target) {
        frame.copyPayloadTo(target);
    }

    /**
     * Reads a frame that fills {@code source} from position to limit. The bytes behind the header become the payload.
     *
     * @throws WireFormatException if the frame is shorter than a header, of an unknown type, or longer than allowed
     */
    public static Frame read(Frame frame, ByteBuffer source) {
        if (source.remaining() < HEADER_BYTES || source.remaining() > HEADER_BYTES + Frame.MAX_PAYLOAD_BYTES) {
            throw new WireFormatException("frame of " + source.remaining() + " bytes");
        }
        source.order(ByteOrder.LITTLE_ENDIAN);
        int at = source.position();
        long first = source.getLong(at);
        int number = (int) first & 0xff;
        frame.type = FrameType.ofWire(number);
        if (frame.type == null) {
            throw new WireFormatException("frame of unknown type " + number);
        }
        frame.stream = (int) (first >>> 8) & 0xff;
        frame.flags = (int) (first >>> 16) & 0xffff;
        frame.tag = (int) (first >>> Integer.SIZE);
        frame.communicator = source.getLong(at + COMMUNICATOR_AT);
        long third = source.getLong(at + SOURCE_AT);
        frame.source = (int) third;
        frame.sequence = (int) (third >>> Integer.SIZE);
        frame.length = source.getLong(at + LENGTH_AT);
        frame.id = source.getLong(at + ID_AT);
        frame.peerId = source.getLong(at + PEER_ID_AT);
        source.position(at + HEADER_BYTES);
        return frame.receive(source);
    }

    /** As {@link #read}, for bytes that {@link #writeBrief} wrote, with the short header. */
    public static Frame readBrief(Frame frame, ByteBuffer source) {
        if (source.remaining() < BRIEF_HEADER_BYTES
                || source.remaining() > BRIEF_HEADER_BYTES + MAX_BRIEF_PAYLOAD_BYTES) {
            throw new WireFormatException("brief frame of " + source.remaining() + " bytes");
        }
        source.order(ByteOrder.LITTLE_ENDIAN);
        int at = source.position();
        long first = source.getLong(at);
        frame.type = FrameType.EAGER;
        frame.stream = (int) first & 0xff;
        frame.flags = 0;
        frame.tag = (int) (first >>> Integer.SIZE);
        frame.communicator = source.getLong(at + COMMUNICATOR_AT);
        frame.source = (int) first >>> Byte.SIZE;
        frame.sequence = 0;
        frame.id = 0;
        frame.peerId = 0;
        source.position(at + BRIEF_HEADER_BYTES);
        frame.length = source.remaining();
        return frame.receive(source);
    }

    /** As {@link #read}, for bytes that {@link #writeBare} wrote, without a header. */
    public static Frame readBare(Frame frame, ByteBuffer source) {
        if (source.remaining() > MAX_BRIEF_PAYLOAD_BYTES) {
            throw new WireFormatException("bare frame of " + source.remaining() + " bytes");
        }
        source.order(ByteOrder.LITTLE_ENDIAN);
        frame.type = FrameType.CONTROL;
        frame.stream = 0;
        frame.flags = 0;
        frame.tag = 0;
        frame.communicator = 0;
        frame.source = 0;
        frame.sequence = 0;
        frame.length = 0;
        frame.id = 0;
        frame.peerId = 0;
        return frame.receive(source);
    }
}
