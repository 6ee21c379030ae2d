package org.ulfmj.protocol;

/**
 * A protocol without input or output: it is told what happened and when, and leaves messages in an outbox.
 *
 * <p>Implementations are single-threaded, never block, read no clock, start no thread, draw no randomness and iterate
 * only ordered collections, so that the same inputs always give the same outputs. {@link #onTick} is called only after
 * the inputs that had arrived by then were dispatched.
 *
 * @param <A> address of a peer
 * @param <M> message
 */
public interface Protocol<A, M> {
    /** A message arrived. Messages of one sender arrive in the order in which it sent them, at least per stream. */
    void onMessage(A from, M message, long nowNs, Outbox<A, M> out);

    /**
     * Called when the time {@link #nextDeadlineNs} has come, or a little later. A call before that time does no harm.
     */
    void onTick(long nowNs, Outbox<A, M> out);

    /** When {@link #onTick} is next needed; {@link Long#MAX_VALUE} if never. */
    long nextDeadlineNs();
}
