package org.ulfmj.rendezvous.client;

import java.io.IOException;
import java.nio.channels.Selector;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.rendezvous.message.RendezvousMessage;

/**
 * A spare, a process without a slot, connected to the launcher. It sends {@code Spare} on each connection that the
 * launcher has accepted, and waits until the launcher gives it a place. Blocks its caller; used once.
 */
final class SpareWait {
    private static final long FIRST_BACKOFF_NS = 10_000_000;
    private static final long LONGEST_BACKOFF_NS = 250_000_000;

    private final SpareRequest request;
    private Caller caller;
    private ClientConnection connection;
    private ProcessId place;
    private long dialNs;
    private long backoffNs = FIRST_BACKOFF_NS;

    /**
     * When the last accepted connection broke or, if there was none, when the wait began. Valid while there is no
     * accepted connection.
     */
    private long brokenSinceNs;

    private String lastFailure = "";
    private boolean wasInterrupted;

    SpareWait(SpareRequest request) {
        this.request = request;
        this.caller = request.caller();
    }

    ProcessId await() {
        // With the interrupt flag set, every select would return at once.
        wasInterrupted = Thread.interrupted();
        try (Selector selector = Selector.open()) {
            brokenSinceNs = System.nanoTime();
            dialNs = brokenSinceNs;
            while (place == null) {
                step(System.nanoTime());
                if (place == null) {
                    sleep(selector);
                }
            }
            return place;
        } catch (IOException noSelector) {
            throw new RendezvousException(
                    OutReason.REFUSED, "no selector for a spare process: " + noSelector.getMessage());
        } finally {
            if (connection != null) {
                connection.close();
            }
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void step(long nowNs) {
        try {
            if (connection == null && nowNs - dialNs >= 0) {
                connection = new ClientConnection(caller, 0);
            }
            if (connection != null) {
                talk(nowNs);
            }
        } catch (IOException failure) {
            if (failure instanceof RecordsDemandedException) {
                caller = caller.withRecords();
            }
            if (connection != null && connection.isAccepted()) {
                brokenSinceNs = nowNs;
            }
            lastFailure = failure.getMessage() == null ? failure.toString() : failure.getMessage();
            close();
            dialNs = nowNs + backoffNs;
            backoffNs = Math.min(2 * backoffNs, LONGEST_BACKOFF_NS);
        }
        boolean stands = connection != null && connection.isAccepted();
        if (!stands && nowNs - brokenSinceNs >= request.budgetNs()) {
            throw new RendezvousException(
                    OutReason.TIMEOUT,
                    "no connection to the launcher at " + request.rendezvous() + " for "
                            + request.budgetNs() / 1_000_000 + " ms (" + lastFailure + ")");
        }
    }

    private void talk(long nowNs) throws IOException {
        boolean wasAccepted = connection.isAccepted();
        if (!connection.advance()) {
            return;
        }
        if (!wasAccepted) {
            backoffNs = FIRST_BACKOFF_NS;
            connection.write(new RendezvousMessage.Spare(request.number()));
        }
        for (RendezvousMessage message = connection.read(); message != null; message = connection.read()) {
            onMessage(message);
        }
    }

    private void onMessage(RendezvousMessage message) {
        if (message instanceof RendezvousMessage.Assign assign) {
            place = assign.process();
        } else if (message instanceof RendezvousMessage.Out end) {
            throw new RendezvousException(end.reason(), end.text());
        } else if (message instanceof RendezvousMessage.Abort abort) {
            throw new RendezvousException(OutReason.CLOSED, abort.reason());
        }
    }

    private void sleep(Selector selector) throws IOException {
        if (connection == null) {
            selector.select(waitMs(dialNs));
        } else {
            connection.channel().register(selector, connection.operations());
            selector.select(connection.isAccepted() ? 0 : waitMs(brokenSinceNs + request.budgetNs()));
        }
        selector.selectedKeys().clear();
        wasInterrupted |= Thread.interrupted();
    }

    private static long waitMs(long untilNs) {
        return Math.max(1, (untilNs - System.nanoTime()) / 1_000_000);
    }

    private void close() {
        if (connection != null) {
            connection.close();
            connection = null;
        }
    }
}
