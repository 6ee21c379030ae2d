package org.ulfmj.transport.seat;

/** The owner of a channel that the selector watches. */
public interface ReadyHandler {
    /**
     * The channel is ready for an operation for which it is watched, or was so a moment ago. So a read may find no
     * bytes. Called under the engine lock, in a poll.
     */
    void onReady(long nowNs);
}
