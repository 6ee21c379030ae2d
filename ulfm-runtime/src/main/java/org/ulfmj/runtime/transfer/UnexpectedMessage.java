package org.ulfmj.runtime.transfer;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.lent.LentPlace;
import org.ulfmj.runtime.message.KeyedQueues;

/**
 * A message, or the offer of one, that arrived before its receive. The objects are pooled. Outside of this package it
 * stands for a message that a probe has found, or that a matched probe has taken.
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
    /** Whether the sender waits for the answer that the message was matched. */
    boolean synchronous;
    /** The sender's number of its send; set for an offer and for a synchronous message. */
    long senderId;
    /** The bytes of the whole message; null if the message is only offered, or empty. */
    ByteBuffer bytes;
    /** Where an offered message lies, if in lent memory. */
    final LentPlace place = new LentPlace();
    /** Whether the message was only offered, so that its bytes are still at the sender. */
    boolean offered;
    /** The message's position in the order in which the same {@link UnexpectedMessages} got its messages. */
    long order;
    /** Whether the message was only offered and its sender has failed or departed: its bytes will never come. */
    boolean lost;

    UnexpectedMessage() {}

    /** Returns the sender's rank among the members of the communicator; valid until the message is received. */
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
