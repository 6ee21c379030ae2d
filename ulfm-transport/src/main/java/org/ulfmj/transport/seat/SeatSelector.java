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
 * The one selector of a rank, and who may use it. The thread that holds the seat polls it (under the engine lock) and
 * sleeps in it (without); every other process registers channels and changes interests. While a process sleeps such a
 * change does not take effect, so it wakes the sleeper: who changes first changes and then looks whether a process
 * sleeps, who sleeps says so first and then selects.
 */
public final class SeatSelector implements Consumer<SelectionKey> {
    /** No sleep is longer: a lost wake-up would be a delay, never a hang. */
    private static final long MAX_SLEEP_NS = 50_000_000;

    private static final long MILLISECOND_NS = 1_000_000;

    private final Selector selector;
    private final List<SelectionKey> ready = new ArrayList<>();
    private final Consumer<SelectionKey> ignore = new Consumer<>() {
        @Override
        public void accept(SelectionKey key) {
            // Any process that woke will poll.
        }
    };
    private volatile boolean isAsleep;
    private volatile long sleepUntilNs;

    public SeatSelector() throws IOException {
        selector = Selector.open();
    }

    /** The handler is called in each poll that finds the channel ready for the operations. */
    public SelectionKey register(SelectableChannel channel, int operations, ReadyHandler handler) throws IOException {
        SelectionKey key = channel.register(selector, operations, handler);
        nudge();
        return key;
    }

    /**
     * Watches a channel that belongs to another part of the rank: it ends a {@link #sleep}, and {@code onReady} is
     * called in a {@link #poll}.
     *
     * @param operations bits of {@link SelectionKey}
     */
    public ChannelWatch watch(SelectableChannel channel, int operations, Runnable onReady) throws IOException {
        ChannelWatch watch = new ChannelWatch(this, onReady);
        watch.begin(register(channel, operations, watch));
        return watch;
    }

    /** Sets what a channel is watched for, if it is another thing than now. */
    public void watchFor(SelectionKey key, int operations) {
        if (key.isValid() && key.interestOps() != operations) {
            key.interestOps(operations);
            nudge();
        }
    }

    /** A channel was closed: its socket ends only once the selector has let it go. */
    public void onClosed() {
        nudge();
    }

    /** A timer is due earlier than the sleeper may know. */
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

    /** Calls the handlers of all channels that are ready; returns how many. */
    public int poll(long nowNs) {
        ready.clear();
        try {
            selector.selectNow(this);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot poll the selector", e);
        }
        // Outside of the selection: a handler may register, close and call the program's code.
        for (int i = 0; i < ready.size(); i++) {
            ((ReadyHandler) ready.get(i).attachment()).onReady(nowNs);
        }
        return ready.size();
    }

    @Override
    public void accept(SelectionKey key) {
        ready.add(key);
    }

    /** Without the lock, by the thread that holds the seat. */
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
            // The fabric was closed meanwhile: there is nothing left to wait for.
        } catch (IOException e) {
            throw new UncheckedIOException("cannot sleep in the selector", e);
        } finally {
            isAsleep = false;
        }
    }

    /** Whether it was not closed yet. */
    public boolean isOpen() {
        return selector.isOpen();
    }

    /** Ends a sleep that is going on. */
    public void close() {
        try {
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close the selector", e);
        }
    }
}
