package org.ulfmj.transport.seat;

/** The owner of a channel that the selector watches. */
public interface ReadyHandler {
    /** The channel is ready for what it was registered for, or was: nothing may be there. Under the lock, in a poll. */
    void onReady(long nowNs);
}
