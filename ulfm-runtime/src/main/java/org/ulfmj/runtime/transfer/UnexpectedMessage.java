package org.ulfmj.runtime.transfer;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.lent.LentPlace;
import org.ulfmj.runtime.message.KeyedQueues;

/** A message, or the offer of a large one, that arrived before its receive. Pooled. */
final class UnexpectedMessage {
    final KeyedQueues.Link<UnexpectedMessage> exact = new KeyedQueues.Link<>(this);
    final KeyedQueues.Link<UnexpectedMessage> anySource = new KeyedQueues.Link<>(this);
    final KeyedQueues.Link<UnexpectedMessage> anyTag = new KeyedQueues.Link<>(this);
    final KeyedQueues.Link<UnexpectedMessage> anything = new KeyedQueues.Link<>(this);

    Peer from;
    int source;
    int tag;
    long lengthBytes;
    /** The sender waits to hear that it was matched. */
    boolean synchronous;
    /** The sender's number for its operation: of an offer and of a synchronous message. */
    long senderId;
    /** The whole message; null if it is only offered, or empty. */
    ByteBuffer bytes;
    /** Where the message of an offer lies. */
    final LentPlace place = new LentPlace();
    /** Whether it was only offered: the bytes are still at the sender. */
    boolean offered;
    /** Its place in the order of arrival on the communicator. */
    long order;
    /** Offered by a sender that is gone: its bytes will never come. */
    boolean lost;
}
