package org.ulfmj.transport.session;

/**
 * The calls of a {@link LinkSession} to its driver. None of these methods may call the session before the session's own
 * method has returned.
 *
 * @param <C> a connection; compared by identity
 */
public interface LinkActions<C> {
    /**
     * Opens a connection to the peer; null if that failed at once. The driver reports a later failure by
     * {@link LinkSession#onEnd}.
     */
    C dial();

    /**
     * Whether the system of the peer has answered a dial already: the peer itself is waited for then. If not, the
     * driver reports it by {@link LinkSession#onReached}.
     */
    default boolean isReached(C connection) {
        return true;
    }

    void sendHello(C connection, LinkHello hello);

    void sendOk(C connection, LinkOk ok);

    void sendRefusal(C connection, LinkRefusal refusal);

    /** Finishes a frame that is half written, throws all other frames away, and writes YOU_FAILED. */
    void sendYouFailed(C connection);

    /**
     * Sends an acknowledgement on the adopted connection. The driver may delay it until the session's method has
     * returned.
     */
    void sendAck(C connection, long ackUpTo);

    /**
     * Ends the sending half of a connection, after the bytes sent so far. The driver reads the connection on: it
     * reports a YOU_FAILED ({@link LinkSession#onYouFailed}) and the end ({@link LinkSession#onEnd}), and throws
     * everything else away.
     */
    void halfClose(C connection);

    void close(C connection);

    /** Frames are written to this connection from now on, beginning with number {@link LinkSession#nextToWrite}. */
    void adopted(C connection);

    /** The peer has delivered all frames up to this number. The driver may free their memory. */
    void acknowledged(long upTo);

    /**
     * The session is over: no frame will be written to the peer any more. The driver may free the memory of all frames.
     */
    void discarded();

    /**
     * LINK_LOST: nothing has reached the peer for the whole link budget. This is at most a reason to suspect the peer,
     * no proof of its death; the session goes on dialing.
     */
    void lost();

    /** The peer can be reached again: withdraws an earlier {@link #lost}. */
    void restored();

    /** The peer has sent on this connection what cannot be true. The connection is closed after this call. */
    void distrusted(C connection, String what);

    /** The peer has proved that it has marked this rank failed. */
    void excluded();

    /** A later process of the peer's slot exists, so the peer has certainly ended. */
    void superseded(LinkIdentity by);

    /**
     * Another process uses the id of the peer, or this rank has called a process with another id. The job is set up
     * wrongly.
     */
    void misnamed(LinkIdentity other);

    /**
     * G10: this rank has called the process that it wanted, and that process bears another name.
     *
     * @param other the name that it bears
     */
    default void renamed(LinkIdentity other) {
        misnamed(other);
    }
}
