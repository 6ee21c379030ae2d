package org.ulfmj.transport;

import java.nio.ByteBuffer;

/**
 * One frame: a header and a piece of payload. Sender and receiver each reuse a frame object, so its content is valid
 * only during the call that hands it over.
 *
 * <p>Each type has a method that writes it anew and methods that read it, and {@link FrameType} says what it is for.
 * The result of a reading method is meaningful only in a frame of its type: several types use the same field of the
 * header for different values. {@link FrameLayout} draws the header; no class outside this package needs to know the
 * fields.
 */
public final class Frame {
    /** The largest length of a frame's payload. */
    public static final int MAX_PAYLOAD_BYTES = 256 * 1024;

    /** Flag of EAGER: the receiver acknowledges the match with SYNC_ACK. In an RTS the flag is without effect. */
    static final int SYNCHRONOUS = 1;
    /** Flag of RTS: the message lies in lent memory. Flag of EAGER: the message was announced by an RTS before. */
    static final int LENT = 2;
    /**
     * Flag of RTS: the sender announces the message only for lack of credit, and may send it whole, as EAGER, once it
     * has credit again.
     */
    static final int AWAITS_CREDIT = 4;
    /** Flag of any frame: the receiver's medium acknowledges the frame at once. */
    static final int ACKNOWLEDGE = 0x8000;
    /** Flag of any frame: a medium need not wake a sleeping receiver for the frame. */
    static final int UNHURRIED = 0x4000;

    private static final ByteBuffer NO_BYTES = ByteBuffer.allocate(0);

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
    private boolean isHeartbeat;

    /** The received payload; without bytes if the medium has placed it. */
    private ByteBuffer received;

    private boolean isPlaced;

    /** Makes this a frame of the given type, with zero in every other field of the header and an empty payload. */
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
        isHeartbeat = false;
        return payload(BufferPayload.EMPTY, 0, 0);
    }

    // ---- of any type

    public FrameType type() {
        return type;
    }

    /** Copies every header field of {@code other} into this frame. The payload of this frame stays as it is. */
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

    /** Sets the payload to send: {@code bytes} bytes of {@code newPayload} from {@code offset} on. */
    public Frame payload(Payload newPayload, long offset, int bytes) {
        payload = newPayload;
        payloadOffset = offset;
        payloadBytes = bytes;
        return this;
    }

    /** Sets the received payload: the bytes from position to limit. */
    public Frame receive(ByteBuffer bytes) {
        received = bytes;
        payloadBytes = bytes.remaining();
        isPlaced = false;
        return this;
    }

    /** Sets the length of a received payload whose bytes the medium itself has read into the program's memory. */
    public Frame receivePlaced(int bytes) {
        received = NO_BYTES;
        payloadBytes = bytes;
        isPlaced = true;
        return this;
    }

    /**
     * In a frame to send: the program's message. The frame carries {@link #payloadBytes} bytes of the message, from
     * {@link #payloadOffset} on.
     */
    public Payload payload() {
        return payload;
    }

    public long payloadOffset() {
        return payloadOffset;
    }

    public int payloadBytes() {
        return payloadBytes;
    }

    /** In a frame that was received: the payload, from position to limit. The caller may move the position. */
    public ByteBuffer received() {
        return received;
    }

    /**
     * In a frame that was received: whether the medium has read the payload straight into the memory that
     * {@link FrameSink#placeOf} named. Then {@link #received} has no bytes.
     */
    public boolean isPlaced() {
        return isPlaced;
    }

    /** Copies the payload of a frame to send to the position of {@code target}, which has room for it. */
    public void copyPayloadTo(ByteBuffer target) {
        if (payloadBytes > 0) {
            int limit = target.limit();
            target.limit(target.position() + payloadBytes);
            try {
                payload.copyOut(payloadOffset, target);
            } finally {
                // The limit is restored also if the copy throws, as it does for a payload whose memory is gone: the
                // target is used again.
                target.limit(limit);
            }
        }
    }

    /**
     * Asks the receiver's medium to acknowledge the frame at once. For a sender that waits for
     * {@link Fabric#isHandedOver}.
     */
    public Frame askForAcknowledgement() {
        flags |= ACKNOWLEDGE;
        return this;
    }

    public boolean asksForAcknowledgement() {
        return (flags & ACKNOWLEDGE) != 0;
    }

    /**
     * Lets a medium leave a sleeping receiver asleep, because the receiver learns the content of the frame in another
     * way too. A sleeping receiver reads the frame at the end of its sleep, in 50 ms at most.
     */
    public Frame setUnhurried() {
        flags |= UNHURRIED;
        return this;
    }

    public boolean isUnhurried() {
        return (flags & UNHURRIED) != 0;
    }

    /**
     * Says whether the payload's memory stays unchanged until {@link Fabric#giveBack}. Then a medium may send from that
     * memory instead of copying it. Not part of the frame on the wire.
     */
    public Frame setBorrowable(boolean newIsBorrowable) {
        isBorrowable = newIsBorrowable;
        return this;
    }

    public boolean isBorrowable() {
        return isBorrowable;
    }

    /**
     * Says whether the frame may wait, because the receiver has many frames to take before it. A medium for which each
     * write is expensive may keep the frame, for 1 ms or until the next poll, and write it together with later frames.
     * Not part of the frame on the wire.
     */
    public Frame setMayLinger(boolean newMayLinger) {
        mayLinger = newMayLinger;
        return this;
    }

    public boolean mayLinger() {
        return mayLinger;
    }

    /**
     * Says whether the frame tells the receiver only that the sender lives. A medium need not keep more than one such
     * frame that waits to be written. Not part of the frame on the wire.
     */
    public Frame setHeartbeat(boolean newIsHeartbeat) {
        isHeartbeat = newIsHeartbeat;
        return this;
    }

    public boolean isHeartbeat() {
        return isHeartbeat;
    }

    // ---- CONTROL

    public Frame writeControl(Payload message) {
        return reset(FrameType.CONTROL).payload(message, 0, (int) message.lengthBytes());
    }

    // ---- EAGER and RTS: messages and offers

    /** Makes this frame an EAGER with a whole message of {@code bytes} bytes. */
    public Frame writeMessage(
            long newCommunicator, int newStream, int newSource, int newTag, Payload message, int bytes) {
        reset(FrameType.EAGER).describe(newCommunicator, newStream, newSource, newTag, bytes);
        return payload(message, 0, bytes);
    }

    /**
     * Makes this frame an RTS, which announces a message of {@code lengthBytes} bytes without its payload.
     * {@link #setSenderId} gives the announcement its number.
     */
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

    /** The id of the communicator. Also set in NACK and MAY_ANNOUNCE. */
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

    /** Sets the number that the sender of the message has given to the handshake. */
    public Frame setSenderId(long senderId) {
        id = senderId;
        return this;
    }

    /**
     * The number that the sender of the message has given to the handshake; 0 if the message has no handshake. Also set
     * in the answers to an RTS.
     */
    public long senderId() {
        return id;
    }

    /** In EAGER: asks for a SYNC_ACK once the message is matched with a receive. In RTS: without effect. */
    public Frame setSynchronous() {
        flags |= SYNCHRONOUS;
        return this;
    }

    public boolean isSynchronous() {
        return (flags & SYNCHRONOUS) != 0;
    }

    /** Sets the value that a message on the stream of descriptions carries in its header instead of a payload. */
    public Frame setDescription(long description) {
        peerId = description;
        return this;
    }

    public long description() {
        return peerId;
    }

    /**
     * In EAGER: the message was offered before, under the given number of the sender, and is now sent whole after all.
     */
    public Frame setOffered(long senderId) {
        flags |= LENT;
        id = senderId;
        return this;
    }

    public boolean wasOffered() {
        return (flags & LENT) != 0;
    }

    /** In RTS: once the sender has credit again, it may send the message whole, as one that {@link #wasOffered}. */
    public Frame setAwaitsCredit() {
        flags |= AWAITS_CREDIT;
        return this;
    }

    public boolean awaitsCredit() {
        return (flags & AWAITS_CREDIT) != 0;
    }

    /**
     * In RTS: the message lies in lent memory, and the receiver may copy it from there.
     *
     * @param memoryId the sender's lent memory, where the message begins at {@code offset}
     * @param takenBack eight bytes: the sender's {@link HostMemory#takenBack} of the offer at this time
     */
    public Frame setLent(long memoryId, int offset, Payload takenBack) {
        flags |= LENT;
        peerId = memoryId;
        sequence = offset;
        return payload(takenBack, 0, Long.BYTES);
    }

    /**
     * Whether the message of an offer lies in lent memory. Then {@link #lentMemoryId} and {@link #lentOffset} say
     * where. By {@link #takenBack} the receiver finds out whether the sender has taken the message back.
     */
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

    /** Makes this frame a CHUNK, a piece of a message: {@code bytes} bytes from {@code position} on. */
    public Frame writeChunk(long receiverId, Payload message, long position, int bytes) {
        reset(FrameType.CHUNK);
        peerId = receiverId;
        length = position;
        return payload(message, position, bytes);
    }

    /** The number that the receiver of the message has given to the handshake. */
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

    /** Tells the sender of a lent message how many bytes of the message the receiver has copied. */
    public Frame writeCopied(long senderId, long bytes) {
        reset(FrameType.SYNC_ACK);
        id = senderId;
        length = bytes;
        return this;
    }

    public long copiedBytes() {
        return length;
    }

    /**
     * Makes this frame a NACK, which tells the sender of a message that the message will not be received.
     *
     * @param newErrorCode code of the error class that gives the reason
     */
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

    /**
     * Makes this frame a CREDIT.
     *
     * @param bytes how many bytes of eager payload the sender may have sent since the start, in all
     */
    public Frame writeCredit(long bytes) {
        reset(FrameType.CREDIT);
        length = bytes;
        return this;
    }

    public long grantedBytes() {
        return length;
    }

    /**
     * Makes this frame a MAY_ANNOUNCE.
     *
     * @param messages how many messages the sender may have announced on the communicator since the start, in all
     */
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
     * Makes this frame a DIVIDE: the sender of a message in lent memory may copy a part of the message itself.
     *
     * @param boardId id of the receiver's lent memory that holds the copy board: it says which rank copies which piece
     * @param number the number of the division on that board
     * @param memoryId id of the receiver's lent memory into which the message is copied, from {@code offset} on
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
