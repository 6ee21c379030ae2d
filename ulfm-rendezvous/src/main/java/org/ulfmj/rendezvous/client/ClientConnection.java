package org.ulfmj.rendezvous.client;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicLong;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.rendezvous.message.MessageChannel;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.rendezvous.message.RendezvousCodec;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.server.ServerConnection;
import org.ulfmj.transport.TransportLog;
import org.ulfmj.transport.auth.DialerHandshake;
import org.ulfmj.transport.auth.Handshake;
import org.ulfmj.transport.auth.HandshakeAnswer;
import org.ulfmj.transport.auth.HandshakeException;
import org.ulfmj.transport.auth.HandshakeStream;
import org.ulfmj.transport.auth.ProofVerdict;
import org.ulfmj.transport.auth.Purpose;
import org.ulfmj.transport.auth.RandomBytes;

/**
 * One attempt to reach the launcher: it dials, proves that it knows the job's secret, and then carries whole messages.
 * Never waits. Not thread-safe.
 */
final class ClientConnection {
    /**
     * S1: numbers the dials of this process, so that the launcher does not take an older dial that arrives late for the
     * newest.
     */
    private static final AtomicLong DIALS = new AtomicLong();

    private final Caller caller;
    private final long session;
    private final long attempt = DIALS.incrementAndGet();
    private final SocketChannel channel;
    private final HandshakeStream handshakeStream;
    private final DialerHandshake handshake;
    /** The messages of this connection; null until the launcher has accepted this process. */
    private MessageChannel messages;

    private boolean connected;
    private boolean greeted;
    private boolean accepted;
    /** Whether nothing that has arrived is read (a fault for tests). */
    private boolean isUnheard;
    /** Whether nothing leaves (a fault for tests). */
    private boolean isUnreached;

    private long boot;
    private long givenSession;

    /**
     * Begins to dial.
     *
     * @param session the number of this process's session with the store; 0 if it knows of none yet
     */
    ClientConnection(Caller caller, long session) throws IOException {
        this.caller = caller;
        this.session = session;
        channel = SocketChannel.open();
        handshakeStream = new HandshakeStream(channel);
        handshake = new Handshake(caller.secret(), Purpose.CONTROL, caller.optionsHash())
                .dial(RandomBytes.next(Handshake.NONCE_BYTES));
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            connected = channel.connect(caller.rendezvous());
        } catch (IOException refused) {
            channel.close();
            throw refused;
        }
    }

    SocketChannel channel() {
        return channel;
    }

    /** Whether the launcher's host has answered. */
    boolean isConnected() {
        return connected;
    }

    boolean isAccepted() {
        return accepted;
    }

    /** Whether HELLO was sent, so that the launcher may have accepted this process on this connection, or may do so. */
    boolean isGreeted() {
        return greeted;
    }

    /** A number that tells this launcher from every other one; known once {@link #isAccepted}. */
    long boot() {
        return boot;
    }

    /** The session that the launcher's store has with this process, 0 for none; known once {@link #isAccepted}. */
    long givenSession() {
        return givenSession;
    }

    /**
     * Says in which directions nothing passes from now on: one, both or none (a fault for tests). While a connection is
     * not accepted yet, a cut of either direction stops it.
     */
    void cut(boolean newIsUnheard, boolean newIsUnreached) {
        isUnheard = newIsUnheard;
        isUnreached = newIsUnreached;
    }

    /** What the channel is to be watched for: bits of {@link SelectionKey}. */
    int operations() {
        if (!accepted && (isUnheard || isUnreached)) {
            return 0;
        }
        if (!connected) {
            return SelectionKey.OP_CONNECT;
        }
        int reading = isUnheard ? 0 : SelectionKey.OP_READ;
        return isFlushed() || isUnreached ? reading : reading | SelectionKey.OP_WRITE;
    }

    /**
     * Goes on with dialing and proving, and then with writing. Returns true once messages may be sent and read.
     *
     * @throws RendezvousException if the launcher proved itself and refused for good, or if a stranger listens at its
     *     address
     * @throws RecordsDemandedException if the next attempt is to offer encrypted records
     * @throws IOException if this attempt failed
     */
    boolean advance() throws IOException {
        if (accepted) {
            if (!isUnreached) {
                messages.flush();
            }
            return true;
        }
        if (isUnheard || isUnreached) {
            return false;
        }
        connected = connected || channel.finishConnect();
        if (!connected || !handshakeStream.flush()) {
            return false;
        }
        try {
            byte[] message = handshakeStream.read();
            if (message != null && !greeted) {
                byte[] body = ServerConnection.hello(caller.runId(), caller.nonce(), session, attempt);
                boolean wantsRecords = caller.protection().covers(channel);
                handshakeStream.write(handshake.hello(message, body, wantsRecords));
                greeted = true;
                message = handshakeStream.read();
            }
            if (message != null) {
                accepted = isWelcome(handshake.read(message));
            }
            return accepted;
        } catch (HandshakeException e) {
            throw RendezvousException.stranger(
                    "what listens at " + caller.rendezvous() + " is not this job's launcher: " + e.getMessage());
        }
    }

    private boolean isWelcome(HandshakeAnswer answer) throws IOException {
        if (answer.isAccepted()) {
            readWelcome(answer.body());
            messages = MessageChannel.of(channel, handshake.recordKeys());
            return true;
        }
        if (answer.verdict() == ProofVerdict.NO_RECORDS && caller.protection().yields()) {
            TransportLog.otherView("mpiexec at " + caller.rendezvous());
            throw new RecordsDemandedException(answer.text());
        }
        throw new RendezvousException(OutReason.REFUSED, "the launcher refused this process: " + answer.text());
    }

    private void readWelcome(byte[] body) throws IOException {
        try {
            WireReader in = new WireReader(body);
            boot = in.getLong();
            givenSession = in.getLong();
            in.requireEnd();
        } catch (WireFormatException e) {
            throw new IOException("malformed answer to HELLO: " + e.getMessage(), e);
        }
    }

    /** The next message, or null if there is none now. */
    RendezvousMessage read() throws IOException {
        return isUnheard ? null : messages.readMessage();
    }

    /** How many bytes have arrived since the launcher accepted this process. */
    long bytesRead() {
        return messages == null ? 0 : messages.bytesRead();
    }

    void write(RendezvousMessage message) throws IOException {
        byte[] bytes = RendezvousCodec.encode(message);
        if (isUnreached) {
            messages.keep(bytes);
        } else {
            messages.write(bytes);
        }
    }

    boolean isFlushed() {
        return messages == null || messages.isFlushed();
    }

    void close() {
        try {
            channel.close();
        } catch (IOException alreadyBroken) {
            // The connection is given up, whether or not closing succeeds.
        }
    }
}
