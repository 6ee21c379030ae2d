package org.ulfmj.rendezvous.embed;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.ulfmj.rendezvous.client.RendezvousException;
import org.ulfmj.rendezvous.client.StoreSocket;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.store.StoreClient;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.auth.RandomBytes;

/**
 * A line to a {@link org.ulfmj.rendezvous.server.StoreHost}. A separate daemon thread dials, sends and reads. A
 * connection that breaks is made anew, and what was not answered is sent again, until the line is closed, this process
 * is refused or the session with the store ends.
 */
final class EmbeddedLine extends ReplyLine {
    private static final long FIRST_BACKOFF_MS = 10;
    private static final long LONGEST_BACKOFF_MS = 250;

    private record Ask(long session, long id, List<Long> open, StoreRequest request) {}

    private final String host;
    private final int port;
    private final String job;
    private final JobSecret secret;
    private final long nonce = RandomBytes.nextLong();
    private final Selector selector;
    private final Thread thread;

    /** The requests that the thread is to send on the present connection. Guarded by {@link #monitor}. */
    private final Queue<Ask> outgoing = new ArrayDeque<>();

    /** Whether the host has accepted the present connection. Guarded by {@link #monitor}. */
    private boolean isConnected;

    /** Why the last connection, or attempt to connect, failed. Guarded by {@link #monitor}. */
    private String lastFailure = "no attempt yet";

    /**
     * Why no further connection is tried: the host refused this process, or a stranger listens at its address; null if
     * neither has happened. Guarded by {@link #monitor}.
     */
    private String refusal;

    /** Why the session with the store has ended; null if it has not. Guarded by {@link #monitor}. */
    private String lostBecause;

    /** A number that tells the host of the first connection from a later one. Used by {@link #thread} only. */
    private long boot;

    private boolean recordsAnyway;

    EmbeddedLine(String host, int port, String job, JobSecret secret) {
        super(new Object());
        this.host = host;
        this.port = port;
        this.job = job;
        this.secret = secret;
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new RendezvousFailure.Connection("no selector: " + e.getMessage(), e);
        }
        thread = new Thread(this::loop, "ulfm-store");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Waits until the host has accepted the first connection. If that does not happen in time, or the host refuses this
     * process, closes this line and throws.
     */
    void awaitSession(long timeoutNs) {
        long untilNs = System.nanoTime() + timeoutNs;
        try {
            synchronized (monitor) {
                requireOpen();
                while (client() == null) {
                    boolean isInTime = await(untilNs);
                    requireOpen();
                    if (!isInTime && client() == null) {
                        throw new RendezvousFailure.Connection(missing(), null);
                    }
                }
            }
        } catch (RendezvousFailure failure) {
            close();
            throw failure;
        }
    }

    @Override
    void requireOpen() {
        super.requireOpen();
        if (refusal != null) {
            throw new RendezvousFailure.Refused(RendezvousFailure.Refused.Reason.BAD_TOKEN, refusal, null);
        }
        if (lostBecause != null) {
            throw new RendezvousFailure.Closed(lostBecause + "; it has to be opened again");
        }
    }

    @Override
    StoreClient.Line line() {
        return (session, id, open, request) -> {
            if (isConnected) {
                outgoing.add(new Ask(session, id, open, request));
                selector.wakeup();
            }
        };
    }

    @Override
    String missing() {
        return "no connection to the store at " + host + ":" + port + ": " + lastFailure;
    }

    @Override
    void end() {
        selector.wakeup();
    }

    private boolean isOver() {
        synchronized (monitor) {
            return isClosed() || refusal != null || lostBecause != null;
        }
    }

    private void loop() {
        long backoffMs = FIRST_BACKOFF_MS;
        while (!isOver()) {
            boolean wasConnected = false;
            try {
                wasConnected = connect();
            } catch (RendezvousException e) {
                synchronized (monitor) {
                    refusal = e.getMessage();
                    monitor.notifyAll();
                }
            } catch (IOException e) {
                recordsAnyway |= StoreSocket.demandsRecords(e);
                synchronized (monitor) {
                    wasConnected = isConnected;
                    lastFailure = e.getMessage() == null ? e.toString() : e.getMessage();
                }
            }
            synchronized (monitor) {
                isConnected = false;
                outgoing.clear();
                backoffMs = wasConnected ? FIRST_BACKOFF_MS : Math.min(2 * backoffMs, LONGEST_BACKOFF_MS);
                if (!isOver()) {
                    await(System.nanoTime() + backoffMs * 1_000_000);
                }
            }
        }
        try {
            selector.close();
        } catch (IOException closingAnyway) {
            // The selector is not used any more.
        }
    }

    /**
     * Makes one connection and serves it until it is not wanted any more. Returns whether the host had accepted it.
     *
     * @throws IOException if the connection cannot be made, or breaks
     */
    private boolean connect() throws IOException {
        InetSocketAddress address = EmbeddedBackend.address(host, port);
        if (address.isUnresolved()) {
            throw new IOException("the name '" + host + "' is not known");
        }
        long session;
        synchronized (monitor) {
            session = client() == null ? 0 : client().session();
        }
        StoreSocket socket = new StoreSocket(address, job, nonce, secret, session, recordsAnyway);
        try {
            SelectionKey key = socket.channel().register(selector, 0);
            boolean isWelcome = false;
            while (!isOver()) {
                boolean stands = socket.advance();
                if (stands && !isWelcome) {
                    isWelcome = true;
                    onWelcome(socket);
                }
                if (stands) {
                    send(socket);
                    socket.read(new Heard());
                }
                key.interestOps(socket.operations());
                selector.select(hasToSend() ? 1 : 0);
                selector.selectedKeys().clear();
            }
            return isWelcome;
        } finally {
            socket.close();
            selector.selectNow(); // takes the closed channel out of the selector
        }
    }

    private void onWelcome(StoreSocket socket) {
        synchronized (monitor) {
            isConnected = true;
            if (client() == null) {
                boot = socket.boot();
                begin(socket.session());
            } else if (socket.boot() != boot || socket.session() == 0) {
                lose(
                        socket.boot() != boot
                                ? "the host of the store has ended, and another one is in its place"
                                : "the store has ended the session of this process, which was without a connection for long");
            } else {
                client().onConnected(line());
            }
        }
    }

    /** S6: gives up the session. Nothing is sent again under another session. */
    private void lose(String why) {
        lostBecause = why;
        client().lose(why);
        monitor.notifyAll();
    }

    private boolean hasToSend() {
        synchronized (monitor) {
            return !outgoing.isEmpty();
        }
    }

    private void send(StoreSocket socket) throws IOException {
        while (true) {
            Ask ask;
            synchronized (monitor) {
                ask = outgoing.poll();
            }
            if (ask == null) {
                return;
            }
            socket.ask(ask.session(), ask.id(), ask.open(), ask.request());
        }
    }

    private final class Heard implements StoreSocket.Answers {
        @Override
        public void answered(RendezvousMessage.StoreAnswer answer) {
            synchronized (monitor) {
                client().onAnswer(answer.id(), answer.result());
                monitor.notifyAll();
            }
        }

        @Override
        public void expired(RendezvousMessage.StoreExpired expired) {
            synchronized (monitor) {
                lose(expired.why());
            }
        }
    }
}
