package org.ulfmj.transport.seat;

import java.nio.channels.SelectionKey;

/**
 * A channel of another part of the rank, such as the line to the launcher, which the rank's selector watches too. Under
 * the engine lock.
 */
public final class ChannelWatch implements ReadyHandler {
    private final SeatSelector seat;
    private final Runnable onReady;
    private SelectionKey key;

    ChannelWatch(SeatSelector seat, Runnable onReady) {
        this.seat = seat;
        this.onReady = onReady;
    }

    void begin(SelectionKey newKey) {
        key = newKey;
    }

    /** Sets the operations for which the channel is watched: bits of {@link SelectionKey}. */
    public void watchFor(int operations) {
        seat.watchFor(key, operations);
    }

    /** Makes the selector release the socket of the channel. To be called once the channel was closed. */
    public void onClosed() {
        seat.onClosed();
    }

    @Override
    public void onReady(long nowNs) {
        if (key.isValid()) {
            onReady.run();
        }
    }
}
