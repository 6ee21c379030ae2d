package org.ulfmj.rendezvous.embed;

import org.ulfmj.rendezvous.store.StoreClient;
import org.ulfmj.rendezvous.store.StoreReply;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.rendezvous.store.StoreResult;

/**
 * The blocking calls over {@link StoreClient}, for a line whose requests have numbers and whose answers may come later
 * on another thread. One monitor guards client and state; a thread that hands over an answer, closes the line or ends
 * the session notifies all that wait at the monitor.
 */
abstract class ReplyLine implements StoreLine {
    /** Guards everything here. */
    final Object monitor;

    /** The requests of this process to the store; null until the store has given this process a session. */
    private StoreClient client;

    private boolean isClosed;

    ReplyLine(Object monitor) {
        this.monitor = monitor;
    }

    /** Where requests are sent. The caller holds the lock of {@link #monitor}. */
    abstract StoreClient.Line line();

    /** Why there is no session yet, as a text for an error. The caller holds the lock of {@link #monitor}. */
    abstract String missing();

    /** Begins with the session that the store has given. The caller holds the lock of {@link #monitor}. */
    final void begin(long session) {
        client = new StoreClient(session);
        monitor.notifyAll();
    }

    /** The requests of this process; null until {@link #begin}. The caller holds the lock of {@link #monitor}. */
    final StoreClient client() {
        return client;
    }

    /** Called with the monitor. */
    final boolean isClosed() {
        return isClosed;
    }

    @Override
    public final StoreResult ask(StoreRequest request, long timeoutNs) {
        long untilNs = System.nanoTime() + timeoutNs;
        synchronized (monitor) {
            awaitRoom(request, timeoutNs, untilNs);
            StoreReply reply = client.ask(request, line());
            while (!reply.isDone()) {
                if (!await(untilNs)) {
                    client.withdraw(reply, line());
                    throw new RendezvousFailure.Timeout(
                            "no answer of the store within " + timeoutNs / 1_000_000 + " ms" + effect(request), null);
                }
                if (!reply.isDone()) {
                    requireOpen();
                }
            }
            if (reply.result() == null) {
                throw new RendezvousFailure.OutcomeUnknown(reply.unknownBecause() + effect(request));
            }
            return reply.result();
        }
    }

    private void awaitRoom(StoreRequest request, long timeoutNs, long untilNs) {
        requireOpen();
        while (client == null || !client.hasRoom(request)) {
            boolean isInTime = await(untilNs);
            requireOpen();
            if (!isInTime && client == null) {
                throw new RendezvousFailure.Connection(missing(), null);
            }
            if (!isInTime) {
                throw new RendezvousFailure.Timeout(
                        "the request could not be sent within " + timeoutNs / 1_000_000 + " ms, as " + client.open()
                                + " others are not answered; nothing was changed",
                        null);
            }
        }
    }

    private static String effect(StoreRequest request) {
        boolean isChange = !(request instanceof StoreRequest.Get) && !(request instanceof StoreRequest.Changes);
        return isChange ? "; the change may still be made" : "";
    }

    /** Throws if this line is closed, or cannot be used any more. The caller holds the lock of {@link #monitor}. */
    void requireOpen() {
        if (isClosed) {
            throw new RendezvousFailure.Closed("this store is closed");
        }
    }

    /**
     * Waits for a notification of {@link #monitor}, whose lock the caller holds, but no longer than until
     * {@code untilNs}. An interrupt does not end the wait; the flag is kept. Returns false if the time had passed
     * before the wait.
     */
    final boolean await(long untilNs) {
        boolean interrupted = false;
        try {
            while (true) {
                long leftNs = untilNs - System.nanoTime();
                if (leftNs <= 0) {
                    return false;
                }
                try {
                    monitor.wait(leftNs / 1_000_000 + 1);
                    return true;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public final void close() {
        synchronized (monitor) {
            if (!isClosed) {
                isClosed = true;
                end();
                monitor.notifyAll();
            }
        }
    }

    /** Lets what the line uses be released. Called once at most; the caller holds the lock of {@link #monitor}. */
    abstract void end();
}
