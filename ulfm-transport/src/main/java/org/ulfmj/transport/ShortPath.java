package org.ulfmj.transport;

/**
 * The way of short messages between this rank and one peer whose memory it shares: straight into the lane and straight
 * out of it, without a {@link FrameSink} in between. The records are those of brief frames, in the data lane, so both
 * ways may be used in turn and messages keep their order: what one rank sends by this path the other may read in a
 * {@link Fabric#poll}, and the other way round.
 *
 * <p>Either direction may decline at any time, and the caller then goes the way of frames, which never differs in what
 * a message means. Under the engine lock, outside of polls. Field name of such paths: UCX calls them <em>short</em>.
 */
public interface ShortPath {
    /** The longest message of this path, in bytes. */
    int MAX_BYTES = FrameLayout.MAX_BRIEF_PAYLOAD_BYTES;

    /** In place of a tag, for {@link #receive}: a message of any tag. */
    int ANY_TAG = -1;

    /** Nothing has arrived. */
    int NOTHING = -1;
    /**
     * A result of {@link #receive}: something has arrived that this receive does not take, so that a poll has to read
     * it, or the messages of this peer now come as frames.
     */
    int DECLINED = -2;

    /**
     * Sends a whole message, which the peer can read when this returns true. Returns false if nothing was sent, as when
     * there is no room, other frames wait for room, there is no lane yet, or {@link Fabric#offer} would drop a frame.
     *
     * @param message of at most {@link #MAX_BYTES}
     */
    boolean send(int stream, long communicator, int source, int tag, Payload message);

    /** Whether messages of the peer come by this path now, so that {@link #hasArrived} can see them. */
    boolean isOpen();

    /**
     * Sets whether polls leave the messages of the peer in the lane, so that a waiting receive finds them there. A
     * drain reads them all the same.
     *
     * @param isHeld true while a receive waits by this path
     */
    void hold(boolean isHeld);

    /** Whether something has arrived, which {@link #receive} takes or a poll reads. Costs next to nothing. */
    boolean hasArrived();

    /**
     * If the next record of the lane is a message with this stream, communicator, source and tag that fits into
     * {@code into}, takes it and copies the message. Any other record stays in the lane for a poll.
     *
     * @param tag the tag, or {@link #ANY_TAG}
     * @return the number of bytes of the message, {@link #NOTHING} or {@link #DECLINED}
     */
    int receive(int stream, long communicator, int source, int tag, Payload into);

    /** The tag of the message that was received last. */
    int receivedTag();
}
