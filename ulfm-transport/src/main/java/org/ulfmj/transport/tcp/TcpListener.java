package org.ulfmj.transport.tcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.ulfmj.transport.auth.Handshake;

/** The door: takes callers in and keeps them until they have proved who they are. */
final class TcpListener implements ReadyHandler {
    private static final int BACKLOG = 1024;
    /** Few enough that who was accepted can prove itself before as many strangers have come as are allowed. */
    private static final int ACCEPTS_A_POLL = 16;

    private final TcpFabric fabric;
    private final Handshake handshake;
    private final ServerSocketChannel channel;
    private final Strangers strangers;
    private final int port;
    private boolean hasCallers;

    TcpListener(TcpFabric fabric, Handshake handshake, String bindHost, long handshakeNs) throws IOException {
        this.fabric = fabric;
        this.handshake = handshake;
        this.strangers = new Strangers(handshakeNs);
        this.channel = ServerSocketChannel.open();
        channel.configureBlocking(false);
        channel.bind(new InetSocketAddress(InetAddress.getByName(bindHost), 0), BACKLOG);
        this.port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
        fabric.seat().register(channel, SelectionKey.OP_ACCEPT, this);
    }

    int port() {
        return port;
    }

    Strangers strangers() {
        return strangers;
    }

    /** Somebody calls; those who were accepted earlier are heard first. */
    @Override
    public void onReady(long nowNs) {
        hasCallers = true;
    }

    /** After the other channels of a poll. */
    void acceptCallers(long nowNs) {
        if (!hasCallers) {
            return;
        }
        hasCallers = false;
        for (int i = 0; i < ACCEPTS_A_POLL && channel.isOpen(); i++) {
            try {
                SocketChannel caller = channel.accept();
                if (caller == null) {
                    return;
                }
                strangers.add(TcpConnection.accept(fabric, caller, handshake), nowNs);
            } catch (IOException e) {
                return; // that one is gone already, or there are no file descriptors: the next poll tries again
            }
        }
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
