package org.ulfmj.sim;

/**
 * The properties of messages that a network needs to know.
 *
 * @param <M> message
 */
public interface MessageTraits<M> {
    /**
     * Whether the message is one of a stream that never ends, as heartbeats are: it keeps no schedule from ending, and
     * is not counted for crashes.
     */
    default boolean isBackground(M message) {
        return false;
    }

    /** The sort of the message, a number from 0: crashes can be aimed at one sort. */
    default int sortOf(M message) {
        return 0;
    }

    /** Messages of one stream arrive in order; different streams of one link overtake each other. */
    default int streamOf(M message) {
        return 0;
    }

    /**
     * Whether the protocol tolerates that this message comes twice. Link sessions hand over everything once, so no
     * network does it today; a protocol that keeps the promise says so here, and is held to it.
     */
    default boolean mayRepeat(M message) {
        return false;
    }

    /** A hash of the content, equal in every JVM for equal messages. */
    default long digest(M message) {
        return ContentHash.of(message);
    }

    /** The message as it arrives: itself, or a copy read back from its bytes. */
    default M carry(M message) {
        return message;
    }
}
