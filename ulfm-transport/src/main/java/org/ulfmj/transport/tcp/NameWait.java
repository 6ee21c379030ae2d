package org.ulfmj.transport.tcp;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.transport.TransportLog;
import org.ulfmj.transport.auth.AcceptorHandshake;
import org.ulfmj.transport.auth.Handshake;
import org.ulfmj.transport.auth.HandshakeException;
import org.ulfmj.transport.auth.HandshakeStream;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.auth.Purpose;
import org.ulfmj.transport.auth.RandomBytes;
import org.ulfmj.transport.auth.Stranger;
import org.ulfmj.transport.auth.Strangers;
import org.ulfmj.transport.record.Protection;
import org.ulfmj.transport.session.LinkHello;

/**
 * The port of a process that has no name yet (G10). A member that was told to let the process in calls it by the name
 * that the members have given it; the first proven HELLO with this process's nonce names it. No caller is accepted: the
 * connections are closed, and the callers dial again. A {@link TcpFabric} with that name then takes the port over.
 *
 * <p>One thread, which selects by a separate selector: {@link #begin}, and {@link #poll} after each select.
 */
public final class NameWait implements AutoCloseable {
    private static final int ACCEPTS_A_POLL = 16;

    private final long nonce;
    private final Handshake handshake;
    private final Protection protection;
    private final ServerSocketChannel channel;
    private final Strangers strangers;
    private SelectionKey key;
    private Selector selector;
    private boolean isReleased;

    /**
     * Binds a free port, at which members reach this process before it has a name.
     *
     * @param nonce of this process: a proven HELLO with it brings the name
     * @param bindHost name or address to listen at
     * @param handshakeNs how long a caller may take to prove itself
     */
    public NameWait(
            long nonce, JobSecret secret, long optionsHash, Protection protection, String bindHost, long handshakeNs)
            throws IOException {
        this.nonce = nonce;
        this.handshake = new Handshake(secret, Purpose.LINK, optionsHash);
        this.protection = protection;
        this.strangers = new Strangers(handshakeNs);
        this.channel = TcpListener.bind(bindHost);
    }

    /** The TCP port that members dial. */
    public int port() {
        return channel.socket().getLocalPort();
    }

    /** Lets the selector wake for callers from now on. */
    public void begin(Selector newSelector) throws IOException {
        selector = newSelector;
        key = channel.register(selector, SelectionKey.OP_ACCEPT);
    }

    /** When {@link #poll} is due even if no process calls; {@link Long#MAX_VALUE} if never. */
    public long nextDeadlineNs() {
        return strangers.nextDeadlineNs();
    }

    /**
     * Accepts callers and reads what they have sent. Never waits.
     *
     * @return the name that a caller has given this process in a proven HELLO; null if there is none yet
     */
    public ProcessId poll(long nowNs) throws IOException {
        for (int i = 0; i < ACCEPTS_A_POLL; i++) {
            SocketChannel caller = channel.accept();
            if (caller == null) {
                break;
            }
            accept(caller, nowNs);
        }
        for (Stranger stranger : strangers.all()) {
            ProcessId name = ((Call) stranger).read();
            if (name != null) {
                return name;
            }
        }
        strangers.onTick(nowNs);
        return null;
    }

    private void accept(SocketChannel caller, long nowNs) throws IOException {
        try {
            strangers.add(new Call(caller), nowNs);
        } catch (IOException gone) {
            caller.close();
        }
    }

    /**
     * Closes the connections of all callers, and returns the port, which a fabric takes over. The selector is to be
     * closed before the fabric is made.
     */
    ServerSocketChannel release() {
        strangers.dropAll();
        if (key != null) {
            key.cancel();
        }
        isReleased = true;
        return channel;
    }

    /** Closes the port, unless a fabric has it. */
    @Override
    public void close() {
        if (isReleased) {
            return;
        }
        strangers.dropAll();
        try {
            channel.close();
        } catch (IOException closingAnyway) {
            TransportLog.error("cannot close the port of a process without a name: " + closingAnyway.getMessage());
        }
    }

    /** The connection of a process that calls. */
    private final class Call implements Stranger {
        private final SocketChannel connection;
        private final HandshakeStream stream;
        private final AcceptorHandshake acceptor;

        Call(SocketChannel connection) throws IOException {
            this.connection = connection;
            this.stream = new HandshakeStream(connection);
            this.acceptor = handshake.accept(RandomBytes.next(Handshake.NONCE_BYTES));
            connection.configureBlocking(false);
            stream.write(acceptor.challenge());
            connection.register(selector, SelectionKey.OP_READ);
        }

        /**
         * Returns the name that the caller has given this process in a proven HELLO. Null while the HELLO has not
         * arrived completely, and if it is wrong or not meant for this process or the connection has ended: then the
         * connection is closed.
         */
        ProcessId read() {
            try {
                stream.flush();
                byte[] message = stream.read();
                if (message == null) {
                    return null;
                }
                byte[] body = acceptor.read(message, protection.covers(connection));
                LinkHello hello = body == null ? null : LinkHello.of(body);
                if (hello == null) {
                    // The dialer tells its user why.
                    stream.write(acceptor.mismatch());
                } else if (hello.to().nonce() == nonce) {
                    return hello.to().id();
                }
            } catch (HandshakeException | WireFormatException wrong) {
                TransportLog.stranger(wrong.getMessage());
            } catch (IOException ended) {
                // The connection of the caller has ended. The caller dials again if it lives.
            }
            drop();
            strangers.remove(this);
            return null;
        }

        @Override
        public void drop() {
            try {
                connection.close();
            } catch (IOException closingAnyway) {
                // It is not used any more.
            }
        }
    }
}
