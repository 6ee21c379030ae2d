package org.ulfmj.transport.seat;

/** The owner of a channel that the selector watches. */
public interface ReadyHandler {
    /**
     * The channel is, or was a moment ago, ready for the operations that it was registered for. So a read may find no
     * bytes. Under the engine lock, in a poll.
     */
    void onReady(long nowNs);
}
