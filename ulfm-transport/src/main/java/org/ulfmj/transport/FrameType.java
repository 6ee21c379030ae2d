package org.ulfmj.transport;

/** What a {@link Frame} is, with the methods that write it; the ordinal is its number on the wire. */
public enum FrameType {
    /**
     * A protocol message; payload written by the control codec. Travels on the control lane only.
     *
     * @see Frame#writeControl
     */
    CONTROL,
    /**
     * A whole message, which may have been offered before.
     *
     * @see Frame#writeMessage
     */
    EAGER,
    /**
     * A large message is offered: envelope, total length and the sender's handshake id, no payload but that of one that
     * lies in lent memory.
     *
     * @see Frame#writeOffer
     */
    RTS,
    /**
     * The receiver is ready: the sender's id and its own.
     *
     * @see Frame#writeClearToSend
     */
    CTS,
    /**
     * A piece of a large message: the receiver's id, and the position of the piece.
     *
     * @see Frame#writeChunk
     */
    CHUNK,
    /**
     * A synchronous send was matched. Of one whose bytes are copied where they lie: how many are by now.
     *
     * @see Frame#writeMatched
     * @see Frame#writeCopied
     */
    SYNC_ACK,
    /**
     * A send will not be received: the sender's id, and an error class.
     *
     * @see Frame#writeRefusal
     */
    NACK,
    /**
     * Eager payload the sender may have sent so far, in bytes, cumulative.
     *
     * @see Frame#writeCredit
     */
    CREDIT,
    /**
     * The receiver copies a message from where it lies, and its sender may write the last pieces of it: the sender's
     * id; lent memory of the receiver, and an offset there; the board by which they divide the pieces, and the number
     * of this division.
     *
     * @see Frame#writeDivide
     */
    DIVIDE,
    /**
     * The receiver hears of more announced messages on a communicator: so many in all.
     *
     * @see Frame#writeMayAnnounce
     */
    MAY_ANNOUNCE;

    private static final FrameType[] VALUES = values();

    /** The type of a number, or null if there is none. */
    static FrameType ofWire(int number) {
        return number >= 0 && number < VALUES.length ? VALUES[number] : null;
    }
}
