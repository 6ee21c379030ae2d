package org.ulfmj.rendezvous.server;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Accepts a server's connections, and keeps those whose callers have not proved that they know the job's secret: few,
 * and not for long. Used by the server's thread only.
 */
final class Door {
    /** How long a caller may take to prove that it knows the job's secret. */
    private static final long PROOF_NS = 10_000_000_000L;

    private static final int MAX_STRANGERS = 256;
    /**
     * The largest number of connections that are accepted per turn of the server's loop: fewer than
     * {@link #MAX_STRANGERS}, so that a caller can prove itself before later callers push it out.
     */
    private static final int ACCEPTS_A_TURN = 64;

    private static final long NO_ROOM_PAUSE_NS = 10_000_000;

    /**
     * Makes a {@link ServerConnection} for a channel that was accepted and is registered with the server's selector.
     */
    interface Maker {
        ServerConnection make(SocketChannel channel, SelectionKey key) throws IOException;
    }

    private final ServerSocketChannel acceptor;
    private final Selector selector;

    /** The oldest first. */
    private final List<ServerConnection> strangers = new ArrayList<>();

    Door(ServerSocketChannel acceptor, Selector selector) {
        this.acceptor = acceptor;
        this.selector = selector;
    }

    /** Accepts what waits, up to a number. Each connection becomes the attachment of its key. */
    void acceptSome(Maker maker) throws IOException {
        for (int i = 0; i < ACCEPTS_A_TURN; i++) {
            SocketChannel channel = accept();
            if (channel == null) {
                return;
            }
            if (strangers.size() == MAX_STRANGERS) {
                dropOldest();
            }
            try {
                channel.configureBlocking(false);
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
                ServerConnection connection = maker.make(channel, key);
                key.attach(connection);
                strangers.add(connection);
            } catch (IOException goneAlready) {
                channel.close();
            }
        }
    }

    /**
     * Accepts one connection. Null if none waits, or if accepting fails, as without a free file descriptor: then the
     * connection that has been without proof for the longest time, if there is one, is closed to make room; else the
     * thread pauses.
     */
    private SocketChannel accept() {
        try {
            return acceptor.accept();
        } catch (IOException noRoom) {
            if (strangers.isEmpty()) {
                LockSupport.parkNanos(NO_ROOM_PAUSE_NS);
            } else {
                dropOldest();
            }
            return null;
        }
    }

    private void dropOldest() {
        strangers.remove(0).close();
    }

    /** Notes that a connection has proved itself or was closed, and is no stranger any more. */
    void forget(ServerConnection connection) {
        strangers.remove(connection);
    }

    /** When the oldest stranger is to be dropped; {@link Long#MAX_VALUE} if there is none. */
    long nextDeadlineNs() {
        return strangers.isEmpty() ? Long.MAX_VALUE : strangers.get(0).openedNs() + PROOF_NS;
    }

    void dropLate(long nowNs) {
        while (!strangers.isEmpty() && nowNs - strangers.get(0).openedNs() >= PROOF_NS) {
            dropOldest();
        }
    }
}
