package org.ulfmj.sim;

/**
 * The properties of messages that a network needs to know.
 *
 * @param <M> message
 */
public interface MessageTraits<M> {
    /**
     * Whether the message is one of a stream that never ends, as heartbeats are. Such a message does not keep a
     * schedule from ending, and is not counted among the sends after which a crash comes.
     */
    default boolean isBackground(M message) {
        return false;
    }

    /** Returns the sort of the message, a number from 0: crashes can be aimed at one sort. */
    default int sortOf(M message) {
        return 0;
    }

    /**
     * Returns the stream of the message, a number from 0 to 7. Messages of one stream of a link arrive in order;
     * messages of different streams may overtake each other.
     */
    default int streamOf(M message) {
        return 0;
    }

    /**
     * Whether the protocol tolerates that this message comes twice. Link sessions hand over each message once; a
     * virtual network delivers some of these messages twice only after {@link VirtualNetwork#repeat}.
     */
    default boolean mayRepeat(M message) {
        return false;
    }

    /** Returns a hash of the content, equal in every JVM for equal messages. */
    default long digest(M message) {
        return ContentHash.of(message);
    }

    /** Returns the message in the form in which it arrives: the same object, or a copy read back from its bytes. */
    default M carry(M message) {
        return message;
    }
}
