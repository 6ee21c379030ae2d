package org.ulfmj.transport.seat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The one selector of a rank. The thread that holds the seat polls it, under the engine lock, and sleeps in it, without
 * the lock. Other threads may register channels and change interests, under the engine lock. Such a change takes no
 * effect on a sleep that is going on, so it wakes the sleeper. The changing thread first makes the change and then
 * looks for a sleeper; the sleeper first announces its sleep and then selects. So no change is missed.
 */
public final class SeatSelector implements Consumer<SelectionKey> {
    /** The longest sleep. With this bound, a lost wake-up would be a delay and never a hang. */
    private static final long MAX_SLEEP_NS = 50_000_000;

    private static final long MILLISECOND_NS = 1_000_000;

    private final Selector selector;
    private final List<SelectionKey> ready = new ArrayList<>();
    private final Consumer<SelectionKey> ignore = new Consumer<>() {
        @Override
        public void accept(SelectionKey key) {
            // Ready channels are ignored in the sleep: the thread that wakes up polls next, and that poll finds them.
        }
    };
    private volatile boolean isAsleep;
    private volatile long sleepUntilNs;

    public SeatSelector() throws IOException {
        selector = Selector.open();
    }

    /**
     * Registers a channel. The handler is called in each poll that finds the channel ready for the operations for which
     * it is then watched.
     */
    public SelectionKey register(SelectableChannel channel, int operations, ReadyHandler handler) throws IOException {
        SelectionKey key = channel.register(selector, operations, handler);
        nudge();
        return key;
    }

    /**
     * Watches a channel that belongs to another part of the rank. A channel that becomes ready ends a {@link #sleep},
     * and {@code onReady} is called in a {@link #poll}.
     *
     * @param operations bits of {@link SelectionKey}
     */
    public ChannelWatch watch(SelectableChannel channel, int operations, Runnable onReady) throws IOException {
        ChannelWatch watch = new ChannelWatch(this, onReady);
        watch.begin(register(channel, operations, watch));
        return watch;
    }

    /**
     * Sets the operations for which a channel is watched. Does nothing if they are the present ones, or if the channel
     * is not registered any more.
     */
    public void watchFor(SelectionKey key, int operations) {
        if (key.isValid() && key.interestOps() != operations) {
            key.interestOps(operations);
            nudge();
        }
    }

    /** Makes the selector release a channel that was closed: its socket ends only then. */
    public void onClosed() {
        nudge();
    }

    /**
     * Ends a sleep that would last beyond {@code deadlineNs}, the time of a timer that was set since the sleep began.
     */
    public void onDeadline(long deadlineNs) {
        if (isAsleep && deadlineNs - sleepUntilNs < 0) {
            selector.wakeup();
        }
    }

    /** Ends a sleep that is going on. */
    public void nudge() {
        if (isAsleep) {
            selector.wakeup();
        }
    }

    /** Ends a sleep that is going on or about to begin. Any thread. */
    public void wake() {
        selector.wakeup();
    }

    /** Calls the handlers of all channels that are ready. Returns the number of channels. */
    public int poll(long nowNs) {
        ready.clear();
        try {
            selector.selectNow(this);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot poll the selector", e);
        }
        // Handlers are called after the selection, because a handler may register and close channels, and call the
        // program's code.
        for (int i = 0; i < ready.size(); i++) {
            ((ReadyHandler) ready.get(i).attachment()).onReady(nowNs);
        }
        return ready.size();
    }

    @Override
    public void accept(SelectionKey key) {
        ready.add(key);
    }

    /** Sleeps in the selector. Called without the engine lock, by the thread that holds the seat. */
    public void sleep(long untilNs, long nowNs) {
        long forNs = Math.min(untilNs - nowNs, MAX_SLEEP_NS);
        if (forNs <= 0) {
            return;
        }
        sleepUntilNs = nowNs + forNs;
        isAsleep = true;
        try {
            selector.select(ignore, (forNs + MILLISECOND_NS - 1) / MILLISECOND_NS);
        } catch (ClosedSelectorException closed) {
            // The fabric was closed meanwhile, so no input will come.
        } catch (IOException e) {
            throw new UncheckedIOException("cannot sleep in the selector", e);
        } finally {
            isAsleep = false;
        }
    }

    /** Whether the selector is not closed yet. */
    public boolean isOpen() {
        return selector.isOpen();
    }

    /** Closes the selector, which also ends a sleep that is going on. */
    public void close() {
        try {
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close the selector", e);
        }
    }
}
