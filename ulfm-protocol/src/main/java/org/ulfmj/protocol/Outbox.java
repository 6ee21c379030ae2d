package org.ulfmj.protocol;

/**
 * Where a protocol step leaves its messages.
 *
 * <p>The order of {@link #send} calls is the order of effects: any process that drives the protocol may stop after any
 * of them, as a crash would.
 *
 * @param <A> address of a receiver
 * @param <M> message
 */
@FunctionalInterface
public interface Outbox<A, M> {
    /**
     * Hands a message over. Never blocks, and never throws if the receiver is dead: the message is then lost, and the
     * sender only misses an answer.
     */
    void send(A to, M message);
}
