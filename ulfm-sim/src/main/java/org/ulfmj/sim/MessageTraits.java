package org.ulfmj.sim;

/**
 * What a network has to know about messages.
 *
 * @param <M> message
 */
public interface MessageTraits<M> {
    /**
     * Messages that never stop, heartbeats: they do not keep a schedule from ending, and no crash is counted in them.
     */
    default boolean isBackground(M message) {
        return false;
    }

    /** A number for what it is, from 0: crashes can be aimed at one sort. */
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

    /** What arrives when a message was sent: the message itself, or what its bytes are read as. */
    default M carry(M message) {
        return message;
    }
}
