package org.ulfmj.runtime.transfer;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.lent.LentPlace;
import org.ulfmj.runtime.message.KeyedQueues;

/**
 * A message, or the offer of a large one, that arrived before its receive. Pooled. To a caller outside of this package
 * it stands for a message that was matched by a probe and is still to be received.
 */
public final class UnexpectedMessage {
    final KeyedQueues.Link<UnexpectedMessage> exact = new KeyedQueues.Link<>(this);
    final KeyedQueues.Link<UnexpectedMessage> anySource = new KeyedQueues.Link<>(this);
    final KeyedQueues.Link<UnexpectedMessage> anyTag = new KeyedQueues.Link<>(this);
    final KeyedQueues.Link<UnexpectedMessage> anything = new KeyedQueues.Link<>(this);

    Peer from;
    int source;
    int tag;
    long lengthBytes;
    /** Whether the sender waits to hear that the message was matched. */
    boolean synchronous;
    /** The sender's number for its send, for an offer and for a synchronous message. */
    long senderId;
    /** The whole message; null if it is only offered, or empty. */
    ByteBuffer bytes;
    /** Where an offered message lies. */
    final LentPlace place = new LentPlace();
    /** Whether the message was only offered: its bytes are still at the sender. */
    boolean offered;
    /** The message's place in the order of arrival on the communicator. */
    long order;
    /** Whether the message was only offered, by a sender that is gone: its bytes will never come. */
    boolean lost;

    UnexpectedMessage() {}

    /** Returns the sender's place among the members of the communicator; as it is until the message is received. */
    public int source() {
        return source;
    }

    public int tag() {
        return tag;
    }

    public long lengthBytes() {
        return lengthBytes;
    }
}
