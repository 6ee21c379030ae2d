package org.ulfmj.transport;

/** The type of a {@link Frame}. Each type names the method that writes it. The ordinal is the number on the wire. */
public enum FrameType {
    /**
     * A message that is not one of the program: between protocols, or between the launcher and the agent of a host.
     *
     * @see Frame#writeControl
     */
    CONTROL,
    /**
     * A whole message. It may have been announced by an RTS before.
     *
     * @see Frame#writeMessage
     */
    EAGER,
    /**
     * Announces a message: communicator, source, tag, total length and the sender's handshake id. The frame has no
     * payload, except for a message in lent memory ({@link Frame#setLent}).
     *
     * @see Frame#writeOffer
     */
    RTS,
    /**
     * Tells the sender that the receiver is ready for an announced message: the handshake ids of sender and receiver.
     *
     * @see Frame#writeClearToSend
     */
    CTS,
    /**
     * A piece of an announced message: the receiver's handshake id, and the position of the piece.
     *
     * @see Frame#writeChunk
     */
    CHUNK,
    /**
     * Tells the sender that a synchronous message, or an announced one without bytes, was matched. For a message in
     * lent memory: the number of bytes that the receiver has copied so far.
     *
     * @see Frame#writeMatched
     * @see Frame#writeCopied
     */
    SYNC_ACK,
    /**
     * Tells the sender that a message will not be received: the sender's handshake id, and an error class.
     *
     * @see Frame#writeRefusal
     */
    NACK,
    /**
     * The number of bytes of eager payload that the sender may have sent since the start, in all.
     *
     * @see Frame#writeCredit
     */
    CREDIT,
    /**
     * Tells the sender that the receiver copies a message from lent memory, and that the sender may copy pieces too,
     * beginning with the last one. Holds the sender's handshake id; the lent memory of the receiver, and an offset
     * there; the board on which both ranks take their pieces, and the number of this division.
     *
     * @see Frame#writeDivide
     */
    DIVIDE,
    /**
     * The number of messages that the sender may have announced on a communicator since the start, in all.
     *
     * @see Frame#writeMayAnnounce
     */
    MAY_ANNOUNCE;

    private static final FrameType[] VALUES = values();

    /** The type with this number on the wire, or null if there is none. */
    static FrameType ofWire(int number) {
        return number >= 0 && number < VALUES.length ? VALUES[number] : null;
    }
}
