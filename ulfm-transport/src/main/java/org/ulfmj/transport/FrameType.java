package org.ulfmj.transport;

/** What a frame is; the ordinal is its number on the wire. */
public enum FrameType {
    /** A protocol message; payload written by the control codec. Travels on the control lane only. */
    CONTROL,
    /** A whole message. */
    EAGER,
    /** A large message is offered: envelope, total length and the sender's handshake id, no payload. */
    RTS,
    /** The receiver is ready: sender's id in {@code id}, its own in {@code peerId}. */
    CTS,
    /** A piece of a large message: receiver's id in {@code peerId}, position of the piece in {@code length}. */
    CHUNK,
    /**
     * A synchronous send was matched: sender's id in {@code id}. Of one whose bytes are copied where they lie: how many
     * are by now in {@code length}.
     */
    SYNC_ACK,
    /** A send will not be received: sender's id in {@code id}, error class in {@code tag}. */
    NACK,
    /** Eager payload the sender may have sent so far, cumulative bytes in {@code length}. */
    CREDIT,
    /**
     * The receiver copies a message from where it lies, and its sender may write the last pieces of it: sender's id in
     * {@code id}; where to in {@code peerId}, lent memory of the receiver, and {@code tag}, an offset there; the
     * segment by which they divide the pieces in {@code communicator}, and the number of this division in
     * {@code length}.
     */
    DIVIDE,
    /** The receiver hears of more announced messages: {@code length} in all on {@code communicator}. */
    MAY_ANNOUNCE;

    private static final FrameType[] VALUES = values();

    /** The type of a number, or null if there is none. */
    static FrameType ofWire(int number) {
        return number >= 0 && number < VALUES.length ? VALUES[number] : null;
    }
}
