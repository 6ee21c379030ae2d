package org.ulfmj.transport.tcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.ulfmj.transport.TransportLog;
import org.ulfmj.transport.auth.Handshake;
import org.ulfmj.transport.auth.Strangers;
import org.ulfmj.transport.seat.ReadyHandler;

/** The door: takes callers in and keeps them until they have proved who they are. */
final class TcpListener implements ReadyHandler {
    private static final int BACKLOG = 1024;
    /** Few enough that who was accepted can prove itself before as many strangers have come as are allowed. */
    private static final int ACCEPTS_A_POLL = 16;
    /**
     * How long no process is accepted where no file descriptor was left: callers wait in the kernel, and make no sleep
     * end at once.
     */
    private static final long PAUSE_NS = 20_000_000;

    private final TcpFabric fabric;
    private final Handshake handshake;
    private final ServerSocketChannel channel;
    private final Strangers strangers;
    private final int port;
    private final SelectionKey key;
    private boolean hasCallers;
    /** The end of a pause; none if that is {@link Long#MAX_VALUE}. */
    private long goOnNs = Long.MAX_VALUE;

    TcpListener(TcpFabric fabric, Handshake handshake, String bindHost, long handshakeNs) throws IOException {
        this.fabric = fabric;
        this.handshake = handshake;
        this.strangers = new Strangers(handshakeNs);
        this.channel = ServerSocketChannel.open();
        channel.configureBlocking(false);
        channel.bind(new InetSocketAddress(InetAddress.getByName(bindHost), 0), BACKLOG);
        this.port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
        this.key = fabric.seat().register(channel, SelectionKey.OP_ACCEPT, this);
    }

    int port() {
        return port;
    }

    Strangers strangers() {
        return strangers;
    }

    /** A process calls; those who were accepted earlier are heard first. */
    @Override
    public void onReady(long nowNs) {
        hasCallers = true;
    }

    /** After the other channels of a poll. */
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
                // That one is gone already.
            }
        }
    }

    private void pause(long nowNs) {
        if (channel.isOpen()) {
            fabric.seat().watchFor(key, 0);
            goOnNs = nowNs + PAUSE_NS;
        }
    }

    /** When {@link #acceptCallers} is due although no process calls; {@link Long#MAX_VALUE} if never. */
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
