package org.ulfmj.transport;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.protocol.WireFormatException;

/**
 * One frame: a header of {@link #HEADER_BYTES} and a piece of payload. Reused by any process that sends or receives,
 * valid only during the call that hands it over.
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
 *   | length: of the message; of a CHUNK its position           |
 *   +-----------------------------------------------------------+
 *   | id: handshake of the sender                               |
 *   +-----------------------------------------------------------+
 *   | peerId: handshake of the receiver                         |
 *   +-----------------------------------------------------------+
 *   | payload …                                                 |
 * </pre>
 *
 * A message that is short and has nothing more to say may be written with a header of {@link #BRIEF_HEADER_BYTES}:
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
 * Little endian. The medium itself reads no field but {@code type} and of the flags {@link #ACKNOWLEDGE} and
 * {@link #UNHURRIED}.
 */
public final class Frame {
    public static final int HEADER_BYTES = 48;
    /** The length of the header of a frame that {@link #isBrief}. */
    public static final int BRIEF_HEADER_BYTES = 16;

    private static final int MAX_BRIEF_PAYLOAD_BYTES = 256;
    private static final int BRIEF_SOURCE_BITS = 24;
    private static final int COMMUNICATOR_AT = 8;
    private static final int SOURCE_AT = 16;
    private static final int LENGTH_AT = 24;
    private static final int ID_AT = 32;
    private static final int PEER_ID_AT = 40;
    /** No frame carries more payload than this. */
    public static final int MAX_PAYLOAD_BYTES = 256 * 1024;
    /** Flag of EAGER and RTS: acknowledge the match. */
    public static final int SYNCHRONOUS = 1;
    /**
     * Flag of RTS: the receiver may copy the bytes from where they lie. {@code peerId} says in which lent memory,
     * {@code sequence} from which offset on, and the payload how often its owner had taken something back. Of EAGER:
     * the message that was offered so as {@code id}, whole.
     */
    public static final int LENT = 2;
    /** Flag of RTS: with the next credit the message may come whole, as an EAGER with {@link #LENT}. */
    public static final int AWAITS_CREDIT = 4;
    /** Flag of any frame: the sender waits for {@link Fabric#isHandedOver}, so the medium acknowledges at once. */
    public static final int ACKNOWLEDGE = 0x8000;
    /**
     * Flag of any frame: the receiver learns the same from elsewhere, so a medium need not wake it. If it sleeps, the
     * frame is read at the end of that sleep, in 50 ms at most.
     */
    public static final int UNHURRIED = 0x4000;

    public FrameType type;
    public int stream;
    public int flags;
    public int tag;
    public long communicator;
    public int source;
    public int sequence;
    public long length;
    public long id;
    public long peerId;

    /** What is sent: {@link #payloadBytes} of it from {@link #payloadOffset} on. */
    public Payload payload = BufferPayload.EMPTY;

    public long payloadOffset;
    /**
     * The payload stays as it is until {@link Fabric#giveBack}: a medium may send from where it lies instead of copying
     * it. Not part of what travels.
     */
    public boolean isBorrowable;
    /**
     * The receiver has much to take before this: a medium for which each write is dear may keep it, for 1 ms or until
     * the next poll, to write it together with what follows. Not part of what travels.
     */
    public boolean mayLinger;

    public int payloadBytes;

    /** What was received: from position to limit; the reader may move the position. Null in a frame to send. */
    public ByteBuffer received;

    /** Sets every field to zero, without payload. */
    public Frame reset(FrameType newType) {
        type = newType;
        stream = 0;
        flags = 0;
        tag = 0;
        communicator = 0;
        source = 0;
        sequence = 0;
        length = 0;
        id = 0;
        peerId = 0;
        isBorrowable = false;
        mayLinger = false;
        return payload(BufferPayload.EMPTY, 0, 0);
    }

    public Frame payload(Payload newPayload, long offset, int bytes) {
        payload = newPayload;
        payloadOffset = offset;
        payloadBytes = bytes;
        return this;
    }

    /** Takes over every header field of {@code other}; payloads stay as they are. */
    public Frame copyHeaderOf(Frame other) {
        type = other.type;
        stream = other.stream;
        flags = other.flags;
        tag = other.tag;
        communicator = other.communicator;
        source = other.source;
        sequence = other.sequence;
        length = other.length;
        id = other.id;
        peerId = other.peerId;
        return this;
    }

    /** Header and payload together. */
    public int totalBytes() {
        return HEADER_BYTES + payloadBytes;
    }

    /** Writes header and payload at the position of {@code target}, which must be little endian with room for both. */
    public void writeTo(ByteBuffer target) {
        writeHeaderTo(target);
        writePayloadTo(target);
    }

    /** As {@link #writeTo}, without the payload. */
    public void writeHeaderTo(ByteBuffer target) {
        int at = target.position();
        target.putLong(
                at, type.ordinal() | (stream & 0xffL) << 8 | (flags & 0xffffL) << 16 | (long) tag << Integer.SIZE);
        target.putLong(at + COMMUNICATOR_AT, communicator);
        target.putLong(at + SOURCE_AT, source & 0xffff_ffffL | (long) sequence << Integer.SIZE);
        target.putLong(at + LENGTH_AT, length);
        target.putLong(at + ID_AT, id);
        target.putLong(at + PEER_ID_AT, peerId);
        target.position(at + HEADER_BYTES);
    }

    /** Whether {@link #writeBriefTo} would leave nothing out: it is a short message, whole, and nothing else. */
    public boolean isBrief() {
        return type == FrameType.EAGER
                && payloadBytes <= MAX_BRIEF_PAYLOAD_BYTES
                && length == payloadBytes
                && (flags | sequence) == 0
                && (id | peerId) == 0
                && source >>> BRIEF_SOURCE_BITS == 0;
    }

    /** As {@link #writeTo}, with the short header. */
    public void writeBriefTo(ByteBuffer target) {
        int at = target.position();
        target.putLong(at, stream & 0xffL | (long) source << Byte.SIZE | (long) tag << Integer.SIZE);
        target.putLong(at + COMMUNICATOR_AT, communicator);
        target.position(at + BRIEF_HEADER_BYTES);
        writePayloadTo(target);
    }

    /**
     * Whether {@link #writeBareTo} would leave nothing out: a short message between protocols, which has no other
     * fields.
     */
    public boolean isBare() {
        return type == FrameType.CONTROL
                && payloadBytes <= MAX_BRIEF_PAYLOAD_BYTES
                && (flags & ~UNHURRIED | stream | tag | source | sequence) == 0
                && (communicator | length | id | peerId) == 0;
    }

    /** As {@link #writeTo}, without any header, and without the flag that is for the sender's medium only. */
    public void writeBareTo(ByteBuffer target) {
        writePayloadTo(target);
    }

    private void writePayloadTo(ByteBuffer target) {
        if (payloadBytes > 0) {
            int limit = target.limit();
            target.limit(target.position() + payloadBytes);
            try {
                payload.copyOut(payloadOffset, target);
            } finally {
                // The target outlives a payload whose memory is gone.
                target.limit(limit);
            }
        }
    }

    /**
     * Reads a frame that fills {@code source} from position to limit and lets {@link #received} be its payload.
     *
     * @throws WireFormatException if it is shorter than a header, of no known type, or longer than allowed
     */
    public Frame readFrom(ByteBuffer source) {
        if (source.remaining() < HEADER_BYTES || source.remaining() > HEADER_BYTES + MAX_PAYLOAD_BYTES) {
            throw new WireFormatException("frame of " + source.remaining() + " bytes");
        }
        source.order(ByteOrder.LITTLE_ENDIAN);
        int at = source.position();
        long first = source.getLong(at);
        int number = (int) first & 0xff;
        type = FrameType.ofWire(number);
        if (type == null) {
            throw new WireFormatException("frame of unknown type " + number);
        }
        stream = (int) (first >>> 8) & 0xff;
        flags = (int) (first >>> 16) & 0xffff;
        tag = (int) (first >>> Integer.SIZE);
        communicator = source.getLong(at + COMMUNICATOR_AT);
        long third = source.getLong(at + SOURCE_AT);
        this.source = (int) third;
        sequence = (int) (third >>> Integer.SIZE);
        length = source.getLong(at + LENGTH_AT);
        id = source.getLong(at + ID_AT);
        peerId = source.getLong(at + PEER_ID_AT);
        source.position(at + HEADER_BYTES);
        received = source;
        payloadBytes = source.remaining();
        return this;
    }

    /** As {@link #readFrom}, of a frame with the short header. */
    public Frame readBriefFrom(ByteBuffer source) {
        if (source.remaining() < BRIEF_HEADER_BYTES
                || source.remaining() > BRIEF_HEADER_BYTES + MAX_BRIEF_PAYLOAD_BYTES) {
            throw new WireFormatException("brief frame of " + source.remaining() + " bytes");
        }
        source.order(ByteOrder.LITTLE_ENDIAN);
        int at = source.position();
        long first = source.getLong(at);
        type = FrameType.EAGER;
        stream = (int) first & 0xff;
        flags = 0;
        tag = (int) (first >>> Integer.SIZE);
        communicator = source.getLong(at + COMMUNICATOR_AT);
        this.source = (int) first >>> Byte.SIZE;
        sequence = 0;
        id = 0;
        peerId = 0;
        source.position(at + BRIEF_HEADER_BYTES);
        received = source;
        payloadBytes = source.remaining();
        length = payloadBytes;
        return this;
    }

    /** As {@link #readFrom}, of a frame without a header. */
    public Frame readBareFrom(ByteBuffer source) {
        if (source.remaining() > MAX_BRIEF_PAYLOAD_BYTES) {
            throw new WireFormatException("bare frame of " + source.remaining() + " bytes");
        }
        source.order(ByteOrder.LITTLE_ENDIAN);
        type = FrameType.CONTROL;
        stream = 0;
        flags = 0;
        tag = 0;
        communicator = 0;
        this.source = 0;
        sequence = 0;
        length = 0;
        id = 0;
        peerId = 0;
        received = source;
        payloadBytes = source.remaining();
        return this;
    }

    @Override
    public String toString() {
        return type + " comm=" + Long.toHexString(communicator) + " source=" + source + " tag=" + tag + " sequence="
                + sequence + " length=" + length + " payload=" + payloadBytes;
    }
}
