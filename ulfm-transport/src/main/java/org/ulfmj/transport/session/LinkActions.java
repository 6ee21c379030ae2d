package org.ulfmj.transport.session;

/**
 * What a {@link LinkSession} asks of its driver. None of these may call the session back before it returned.
 *
 * @param <C> a connection; compared by identity
 */
public interface LinkActions<C> {
    /**
     * Opens a connection to the peer; null if that failed at once. A later failure is told by
     * {@link LinkSession#onEnd}.
     */
    C dial();

    void sendHello(C connection, LinkHello hello);

    void sendOk(C connection, LinkOk ok);

    void sendRefusal(C connection, LinkRefusal refusal);

    /** Finishes a frame that is half written, throws all others away, and writes YOU_FAILED. */
    void sendYouFailed(C connection);

    /** Acknowledges on the adopted connection; may wait until the session has returned. */
    void sendAck(C connection, long ackUpTo);

    /**
     * Ends our half of a connection after what was sent so far. It is read on: a YOU_FAILED in it counts
     * ({@link LinkSession#onYouFailed}), its end is told, everything else is thrown away.
     */
    void halfClose(C connection);

    void close(C connection);

    /** Frames go to this connection from now on, beginning with number {@link LinkSession#nextToWrite}. */
    void adopted(C connection);

    /** Frames up to this number are with the peer; their memory is free. */
    void acknowledged(long upTo);

    /** The session is over: nothing will be written to the peer any more, and all memory is free. */
    void discarded();

    /** The peer cannot be reached. A suspicion at most. */
    void broken();

    /** What {@link #broken} said is no longer so. */
    void restored();

    /** The peer has proved that it has marked us failed. */
    void excluded();

    /** A later process of the peer's slot exists: the peer has ended, for certain. */
    void superseded(LinkIdentity by);

    /** Another process uses the peer's name: an error in how the job was put together. */
    void misnamed(LinkIdentity other);
}
