package org.ulfmj.transport.tcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.ulfmj.transport.TransportLog;
import org.ulfmj.transport.auth.Handshake;
import org.ulfmj.transport.auth.Stranger;
import org.ulfmj.transport.auth.Strangers;
import org.ulfmj.transport.seat.ReadyHandler;

/**
 * Listens for TCP connections, accepts callers, and keeps them as strangers until they have proved that they belong to
 * the job.
 */
final class TcpListener implements ReadyHandler {
    private static final int BACKLOG = 1024;
    /**
     * The largest number of callers per poll: few enough that an accepted process can prove itself before
     * {@link Strangers#MAX} others have come.
     */
    private static final int ACCEPTS_A_POLL = 16;
    /**
     * How long no caller is accepted after an accept failed, as it does when no file descriptor is left. Callers then
     * wait in the kernel, and do not end each sleep at once.
     */
    private static final long PAUSE_NS = 20_000_000;

    private final TcpFabric fabric;
    private final Handshake handshake;
    private final ServerSocketChannel channel;
    private final Strangers strangers;
    private final int port;
    private final SelectionKey key;
    private boolean hasCallers;
    /** The end of the present pause; {@link Long#MAX_VALUE} if there is none. */
    private long goOnNs = Long.MAX_VALUE;

    /** @param channel {@linkplain #bind bound} */
    TcpListener(TcpFabric fabric, Handshake handshake, ServerSocketChannel channel, long handshakeNs)
            throws IOException {
        this.fabric = fabric;
        this.handshake = handshake;
        this.strangers = new Strangers(handshakeNs);
        this.channel = channel;
        this.port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
        this.key = fabric.seat().register(channel, SelectionKey.OP_ACCEPT, this);
    }

    /** Binds a free port. */
    static ServerSocketChannel bind(String host) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.configureBlocking(false);
            channel.bind(new InetSocketAddress(InetAddress.getByName(host), 0), BACKLOG);
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    int port() {
        return port;
    }

    Strangers strangers() {
        return strangers;
    }

    /**
     * Notes that a process calls. The call is accepted after the other channels of the poll, so that processes accepted
     * earlier are heard first.
     */
    @Override
    public void onReady(long nowNs) {
        hasCallers = true;
    }

    /**
     * Accepts waiting callers and reads what they have sent, without asking the selector. While a link has lost its
     * connection, the peer may be about to call, and this rank waits for it.
     */
    void acceptDirectly(long nowNs) {
        hasCallers = goOnNs == Long.MAX_VALUE;
        acceptCallers(nowNs);
        if (strangers.count() > 0) {
            for (Stranger stranger : strangers.all()) {
                ((TcpConnection) stranger).onReady(nowNs);
            }
        }
    }

    /** Accepts waiting callers. To be called after the other channels of a poll. */
    void acceptCallers(long nowNs) {
        if (goOnNs != Long.MAX_VALUE && nowNs - goOnNs >= 0) {
            goOnNs = Long.MAX_VALUE;
            fabric.seat().watchFor(key, SelectionKey.OP_ACCEPT);
        }
        if (!hasCallers) {
            return;
        }
        hasCallers = false;
        for (int i = 0; i < ACCEPTS_A_POLL && channel.isOpen(); i++) {
            SocketChannel caller;
            try {
                caller = channel.accept();
            } catch (IOException e) {
                pause(nowNs);
                return;
            }
            if (caller == null) {
                return;
            }
            try {
                strangers.add(TcpConnection.accept(fabric, caller, handshake), nowNs);
            } catch (IOException e) {
                // The caller is gone already.
            }
        }
    }

    private void pause(long nowNs) {
        if (channel.isOpen()) {
            fabric.seat().watchFor(key, 0);
            goOnNs = nowNs + PAUSE_NS;
        }
    }

    /**
     * The time at which {@link #acceptCallers} is due even if no process calls; {@link Long#MAX_VALUE} if there is
     * none.
     */
    long nextDeadlineNs() {
        return goOnNs;
    }

    void close() {
        if (!channel.isOpen()) {
            return;
        }
        try {
            channel.close();
        } catch (IOException e) {
            TransportLog.error("cannot close the listener: " + e.getMessage());
        }
        strangers.dropAll();
        fabric.seat().onClosed();
    }
}
