package org.ulfmj.transport.session;

/**
 * The calls of a {@link LinkSession} to its driver. None of these methods may call the session before the session's own
 * method has returned.
 *
 * @param <C> a connection; compared by identity
 */
public interface LinkActions<C> {
    /**
     * Opens a connection to the peer; null if that failed at once or is not possible. The driver reports a later
     * failure by {@link LinkSession#onEnd}.
     */
    C dial();

    /**
     * Whether the operating system of the peer has already established the dialed connection: then only the answer of
     * the peer itself is awaited. If not, the driver reports it later by {@link LinkSession#onReached}.
     */
    default boolean isReached(C connection) {
        return true;
    }

    void sendHello(C connection, LinkHello hello);

    void sendOk(C connection, LinkOk ok);

    void sendRefusal(C connection, LinkRefusal refusal);

    /**
     * Finishes a frame that is half written, throws all other frames away, and writes YOU_FAILED, which tells the peer
     * that this rank has marked it failed.
     */
    void sendYouFailed(C connection);

    /**
     * Sends an acknowledgement on the adopted connection. The driver may delay it until the session's method has
     * returned.
     */
    void sendAck(C connection, long ackUpTo);

    /**
     * Ends the sending half of a connection, after the bytes sent so far. The driver continues to read the connection:
     * it reports a YOU_FAILED ({@link LinkSession#onYouFailed}) and the end ({@link LinkSession#onEnd}), and throws
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
     * LINK_LOST: frames have waited, or a lost connection has not been replaced, for the whole link budget without any
     * acknowledgement from the peer; or a connection was lost that the peer had adopted and the session does not
     * resume. An idle link with a connection is never lost. This is at most a reason to suspect the peer, no proof of
     * its death; a session that resumes goes on dialing.
     */
    void lost();

    /** The peer can be reached again: withdraws an earlier {@link #lost}. */
    void restored();

    /** The peer has sent something on this connection that cannot be true. The connection is closed after this call. */
    void distrusted(C connection, String what);

    /**
     * The peer has told on a proven connection that it has marked this rank failed, or that it knows a later process of
     * this rank's slot.
     */
    void excluded();

    /** A later process of the peer's slot exists, so the peer has certainly ended. */
    void superseded(LinkIdentity by);

    /**
     * Another process uses the id of the peer, or this rank has dialed a process that has another id or knows another
     * process by this rank's id. The job is set up wrongly.
     */
    void misnamed(LinkIdentity other);

    /**
     * Rule G10: this rank has dialed the right process, but that process has another name than this rank thought.
     *
     * @param other the identity with the name that the process has
     */
    default void renamed(LinkIdentity other) {
        misnamed(other);
    }
}
