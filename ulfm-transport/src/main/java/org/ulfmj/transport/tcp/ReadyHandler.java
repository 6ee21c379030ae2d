package org.ulfmj.transport.tcp;

/** Any process that owns a channel that the selector watches. */
interface ReadyHandler {
    /** The channel is ready for what it was registered for, or was: nothing may be there. Under the lock, in a poll. */
    void onReady(long nowNs);
}
