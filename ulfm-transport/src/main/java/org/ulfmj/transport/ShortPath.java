package org.ulfmj.transport;

/**
 * The way of short messages between this rank and one peer whose memory it shares: straight into the lane and straight
 * out of it, without a {@link Frame} and a sink in between. The records are those of brief frames, in the data lane, so
 * both ways may be used in turn and messages keep their order: what one rank sends by this path the other may read in a
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
    /** Something has arrived that only a poll can read, or this direction goes by frames. */
    int DECLINED = -2;

    /**
     * Sends a whole message, which has arrived when this returns true. False: no room, frames that wait for room, or no
     * lane yet; nothing was sent.
     *
     * @param message of at most {@link #MAX_BYTES}
     */
    boolean send(int stream, long communicator, int source, int tag, Payload message);

    /** Whether messages of the peer come by this path now, so that {@link #hasArrived} can see them. */
    boolean isOpen();

    /**
     * While it is held, polls leave the messages of the peer where they are, so that the receive that waits finds them.
     * A drain reads them all the same.
     */
    void hold(boolean isHeld);

    /** Whether something has arrived, which {@link #receive} takes or a poll reads. Costs next to nothing. */
    boolean hasArrived();

    /**
     * Takes the next record of the lane if it is a message like this that fits, and copies it.
     *
     * @param tag or {@link #ANY_TAG}
     * @return the bytes of the message, {@link #NOTHING} or {@link #DECLINED}
     */
    int receive(int stream, long communicator, int source, int tag, Payload into);

    /** The tag of the message that was received last. */
    int receivedTag();
}
