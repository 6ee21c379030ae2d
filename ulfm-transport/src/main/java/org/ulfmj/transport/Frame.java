package org.ulfmj.transport;

import java.nio.ByteBuffer;

/**
 * One frame: a header and a piece of payload. Reused by any process that sends or receives, valid only during the call
 * that hands it over.
 *
 * <p>Each type has a method that writes it anew and methods that read it, and {@link FrameType} says what it is for.
 * What a reader returns means something only in a frame of its type. Different types say different things in the same
 * field of the header, which {@link FrameLayout} draws; no class outside this package needs to know in which.
 */
public final class Frame {
    /** No frame carries more payload than this. */
    public static final int MAX_PAYLOAD_BYTES = 256 * 1024;

    /** Flag of EAGER and RTS: acknowledge the match. */
    static final int SYNCHRONOUS = 1;
    /** Flag of RTS: the message lies in lent memory. Of EAGER: the message was offered before. */
    static final int LENT = 2;
    /** Flag of RTS: with the next credit the message may come whole. */
    static final int AWAITS_CREDIT = 4;
    /** Flag of any frame: the medium acknowledges it at once. */
    static final int ACKNOWLEDGE = 0x8000;
    /** Flag of any frame: a medium need not wake the receiver for it. */
    static final int UNHURRIED = 0x4000;

    FrameType type;
    int stream;
    int flags;
    int tag;
    long communicator;
    int source;
    int sequence;
    long length;
    long id;
    long peerId;

    private Payload payload = BufferPayload.EMPTY;
    private long payloadOffset;
    private int payloadBytes;
    private boolean isBorrowable;
    private boolean mayLinger;

    /** Null in a frame to send. */
    private ByteBuffer received;

    /** Sets every field to zero, without payload. */
    Frame reset(FrameType newType) {
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

    // ---- of any type

    public FrameType type() {
        return type;
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

    /** What is sent: {@code bytes} of {@code newPayload} from {@code offset} on. */
    public Frame payload(Payload newPayload, long offset, int bytes) {
        payload = newPayload;
        payloadOffset = offset;
        payloadBytes = bytes;
        return this;
    }

    /** What was received: from position to limit. */
    public Frame receive(ByteBuffer bytes) {
        received = bytes;
        payloadBytes = bytes.remaining();
        return this;
    }

    /** In a frame to send: {@link #payloadBytes} of it from {@link #payloadOffset} on are the payload. */
    public Payload payload() {
        return payload;
    }

    public long payloadOffset() {
        return payloadOffset;
    }

    public int payloadBytes() {
        return payloadBytes;
    }

    /** In a frame that was received: its payload, from position to limit; the reader may move the position. */
    public ByteBuffer received() {
        return received;
    }

    /** Copies the payload of a frame to send to the position of {@code target}, which has room for it. */
    public void copyPayloadTo(ByteBuffer target) {
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

    /** The sender waits for {@link Fabric#isHandedOver}, so the medium acknowledges at once. */
    public Frame askForAcknowledgement() {
        flags |= ACKNOWLEDGE;
        return this;
    }

    public boolean asksForAcknowledgement() {
        return (flags & ACKNOWLEDGE) != 0;
    }

    /**
     * The receiver learns the same from elsewhere, so a medium need not wake it. If it sleeps, the frame is read at the
     * end of that sleep, in 50 ms at most.
     */
    public Frame setUnhurried() {
        flags |= UNHURRIED;
        return this;
    }

    public boolean isUnhurried() {
        return (flags & UNHURRIED) != 0;
    }

    /**
     * The payload stays as it is until {@link Fabric#giveBack}: a medium may send from where it lies instead of copying
     * it. Not part of what travels.
     */
    public Frame setBorrowable(boolean newIsBorrowable) {
        isBorrowable = newIsBorrowable;
        return this;
    }

    public boolean isBorrowable() {
        return isBorrowable;
    }

    /**
     * The receiver has much to take before this: a medium for which each write is dear may keep it, for 1 ms or until
     * the next poll, to write it together with what follows. Not part of what travels.
     */
    public Frame setMayLinger(boolean newMayLinger) {
        mayLinger = newMayLinger;
        return this;
    }

    public boolean mayLinger() {
        return mayLinger;
    }

    // ---- CONTROL

    public Frame writeControl(Payload message) {
        return reset(FrameType.CONTROL).payload(message, 0, (int) message.lengthBytes());
    }

    // ---- EAGER and RTS: messages and offers

    /** A whole message, {@code bytes} long. */
    public Frame writeMessage(
            long newCommunicator, int newStream, int newSource, int newTag, Payload message, int bytes) {
        reset(FrameType.EAGER).describe(newCommunicator, newStream, newSource, newTag, bytes);
        return payload(message, 0, bytes);
    }

    /** A message of this length is there; {@link #setSenderId} gives the offer its number. */
    public Frame writeOffer(long newCommunicator, int newStream, int newSource, int newTag, long lengthBytes) {
        reset(FrameType.RTS).describe(newCommunicator, newStream, newSource, newTag, lengthBytes);
        return this;
    }

    private void describe(long newCommunicator, int newStream, int newSource, int newTag, long lengthBytes) {
        communicator = newCommunicator;
        stream = newStream;
        source = newSource;
        tag = newTag;
        length = lengthBytes;
    }

    /** Also of NACK and MAY_ANNOUNCE. */
    public long communicator() {
        return communicator;
    }

    public int stream() {
        return stream;
    }

    /** The sender's rank in the communicator. */
    public int source() {
        return source;
    }

    public int tag() {
        return tag;
    }

    /** The length of the message. */
    public long lengthBytes() {
        return length;
    }

    /** The number of the handshake at the sender. */
    public Frame setSenderId(long senderId) {
        id = senderId;
        return this;
    }

    /** The number of the handshake at the sender of the message; 0 if it has none. Also of the answers to an offer. */
    public long senderId() {
        return id;
    }

    /** The sender waits for the match. */
    public Frame setSynchronous() {
        flags |= SYNCHRONOUS;
        return this;
    }

    public boolean isSynchronous() {
        return (flags & SYNCHRONOUS) != 0;
    }

    /** What the stream of descriptions carries instead of a payload. */
    public Frame setDescription(long description) {
        peerId = description;
        return this;
    }

    public long description() {
        return peerId;
    }

    /** Of EAGER: the message was offered under the sender's number, and comes whole after all. */
    public Frame setOffered(long senderId) {
        flags |= LENT;
        id = senderId;
        return this;
    }

    public boolean wasOffered() {
        return (flags & LENT) != 0;
    }

    /** Of RTS: with the next credit the message may come whole, as one that {@link #wasOffered}. */
    public Frame setAwaitsCredit() {
        flags |= AWAITS_CREDIT;
        return this;
    }

    public boolean awaitsCredit() {
        return (flags & AWAITS_CREDIT) != 0;
    }

    /**
     * Of RTS: the receiver may copy the bytes from where they lie.
     *
     * @param memoryId the sender's lent memory, where the message begins at {@code offset}
     * @param takenBack how often the sender has taken something back: a number of eight bytes
     */
    public Frame setLent(long memoryId, int offset, Payload takenBack) {
        flags |= LENT;
        peerId = memoryId;
        sequence = offset;
        return payload(takenBack, 0, Long.BYTES);
    }

    /** Whether the message of an offer lies in lent memory; then the next three say where. */
    public boolean isLent() {
        return (flags & LENT) != 0 && payloadBytes == Long.BYTES;
    }

    public long lentMemoryId() {
        return peerId;
    }

    public int lentOffset() {
        return sequence;
    }

    public long takenBack() {
        return received.getLong(received.position());
    }

    // ---- CTS and CHUNK: what an offer leads to

    public Frame writeClearToSend(long senderId, long receiverId) {
        reset(FrameType.CTS);
        id = senderId;
        peerId = receiverId;
        return this;
    }

    /** The piece of a message that begins at {@code position}. */
    public Frame writeChunk(long receiverId, Payload message, long position, int bytes) {
        reset(FrameType.CHUNK);
        peerId = receiverId;
        length = position;
        return payload(message, position, bytes);
    }

    /** The number of the handshake at the receiver of the message. */
    public long receiverId() {
        return peerId;
    }

    /** Where in the message a CHUNK begins. */
    public long position() {
        return length;
    }

    // ---- SYNC_ACK and NACK: the end of a handshake

    public Frame writeMatched(long senderId) {
        return writeCopied(senderId, 0);
    }

    /** This many bytes were copied from where they lie. */
    public Frame writeCopied(long senderId, long bytes) {
        reset(FrameType.SYNC_ACK);
        id = senderId;
        length = bytes;
        return this;
    }

    public long copiedBytes() {
        return length;
    }

    /** @param newErrorCode why the message will not be received */
    public Frame writeRefusal(long newCommunicator, long senderId, int newErrorCode) {
        reset(FrameType.NACK);
        communicator = newCommunicator;
        id = senderId;
        tag = newErrorCode;
        return this;
    }

    public int errorCode() {
        return tag;
    }

    // ---- CREDIT and MAY_ANNOUNCE: limits of the sender

    /** @param bytes of eager payload in all */
    public Frame writeCredit(long bytes) {
        reset(FrameType.CREDIT);
        length = bytes;
        return this;
    }

    public long grantedBytes() {
        return length;
    }

    /** @param messages in all */
    public Frame writeMayAnnounce(long newCommunicator, long messages) {
        reset(FrameType.MAY_ANNOUNCE);
        communicator = newCommunicator;
        length = messages;
        return this;
    }

    public long announceable() {
        return length;
    }

    // ---- DIVIDE

    /**
     * @param boardId the receiver's memory that says which rank copies which piece, in a division of this number
     * @param memoryId the receiver's memory into which the message goes, from {@code offset} on
     */
    public Frame writeDivide(long senderId, long boardId, int number, long memoryId, int offset) {
        reset(FrameType.DIVIDE);
        id = senderId;
        communicator = boardId;
        length = number;
        peerId = memoryId;
        tag = offset;
        return this;
    }

    public long divisionBoardId() {
        return communicator;
    }

    public int divisionNumber() {
        return (int) length;
    }

    public long dividedMemoryId() {
        return peerId;
    }

    public int dividedOffset() {
        return tag;
    }

    @Override
    public String toString() {
        return type + " comm=" + Long.toHexString(communicator) + " source=" + source + " tag=" + tag + " sequence="
                + sequence + " length=" + length + " payload=" + payloadBytes;
    }
}
