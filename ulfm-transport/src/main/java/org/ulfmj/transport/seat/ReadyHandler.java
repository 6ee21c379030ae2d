package org.ulfmj.transport.seat;

/** The owner of a channel that the selector watches. */
public interface ReadyHandler {
    /**
     * The channel is ready for the operations for which it was registered, or was so a moment ago. So a read may find
     * no bytes. Called under the engine lock, in a poll.
     */
    void onReady(long nowNs);
}
