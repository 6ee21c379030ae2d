package org.ulfmj.rendezvous.server;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;
import org.ulfmj.rendezvous.message.MessageChannel;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.store.StoreWelcome;
import org.ulfmj.transport.auth.AcceptorHandshake;
import org.ulfmj.transport.auth.HandshakeException;
import org.ulfmj.transport.auth.HandshakeStream;
import org.ulfmj.transport.record.Protection;

/**
 * One accepted connection: the handshake, and then whole messages. Belongs to the server's thread. A failure is an
 * {@link IOException}, or in the handshake a {@link HandshakeException}, upon which the server drops the connection; an
 * end that has not proved itself learns nothing.
 */
public final class ServerConnection {
    private static final int MAX_HELLO_BYTES = 512;

    private final SocketChannel channel;
    private final SelectionKey key;
    private final String runId;
    private final Protection protection;
    private final long openedNs;
    private final AcceptorHandshake handshake;
    private final HandshakeStream handshakeStream;
    private final Greeter greeter;
    /**
     * The channel for whole messages; null until the other end has proved that it knows the job's secret, so that a
     * stranger takes no memory.
     */
    private MessageChannel messages;

    private boolean proven;
    private boolean ending;
    private long nonce;

    /**
     * @param protection which connections must carry encrypted records
     * @param greeter called on the server's thread
     */
    ServerConnection(
            SocketChannel channel,
            SelectionKey key,
            AcceptorHandshake handshake,
            String runId,
            Protection protection,
            long nowNs,
            Greeter greeter)
            throws IOException {
        this.greeter = greeter;
        this.channel = channel;
        this.key = key;
        this.handshake = handshake;
        this.runId = runId;
        this.protection = protection;
        this.openedNs = nowNs;
        this.handshakeStream = new HandshakeStream(channel);
        handshakeStream.write(handshake.challenge());
    }

    /**
     * The body of a dialer's HELLO: the job that it belongs to, its nonce, its session with the store (S1; 0 for none
     * yet) and the number of its dial.
     */
    public static byte[] hello(String runId, long nonce, long session, long attempt) {
        return new WireWriter(MAX_HELLO_BYTES)
                .putText(runId)
                .putLong(nonce)
                .putLong(session)
                .putLong(attempt)
                .toByteArray();
    }

    boolean isProven() {
        return proven;
    }

    long openedNs() {
        return openedNs;
    }

    /** The nonce of the process at the other end; known once {@link #isProven}. */
    long nonce() {
        return nonce;
    }

    /**
     * Goes on with the handshake. Returns true once the handshake is done and messages may be read.
     *
     * @throws HandshakeException if the other end does not know the secret, or says something that is no handshake
     */
    boolean shakeHands() throws IOException, HandshakeException {
        if (proven || ending) {
            return proven;
        }
        byte[] hello = handshakeStream.read();
        if (hello == null) {
            return false;
        }
        byte[] body = handshake.read(hello, protection.covers(channel));
        if (body == null) {
            // The caller tells its user why.
            end(handshake.mismatch());
            return false;
        }
        return greet(body);
    }

    private boolean greet(byte[] body) throws IOException {
        String itsRun;
        long session;
        long attempt;
        try {
            WireReader in = new WireReader(body);
            itsRun = in.getText();
            nonce = in.getLong();
            session = in.getLong();
            attempt = in.getLong();
            in.requireEnd();
        } catch (WireFormatException e) {
            throw new IOException("malformed HELLO: " + e.getMessage(), e);
        }
        if (!itsRun.equals(runId)) {
            String text = "this is the rendezvous of job " + runId + ", not of job " + itsRun;
            end(handshake.refuse(text.getBytes(StandardCharsets.UTF_8)));
            return false;
        }
        StoreWelcome welcome = greeter.greet(nonce, session, attempt);
        if (welcome == null) {
            throw new IOException("the process has dialed again since");
        }
        byte[] answer = new WireWriter(2 * Long.BYTES)
                .putLong(welcome.boot())
                .putLong(welcome.session())
                .toByteArray();
        handshakeStream.write(handshake.accept(answer));
        messages = MessageChannel.of(channel, handshake.recordKeys());
        proven = true;
        return true;
    }

    /** Sends an answer as the last message of this connection. What the other end sends after it is discarded. */
    private void end(byte[] answer) throws IOException {
        ending = true;
        handshakeStream.write(answer);
        channel.shutdownOutput();
    }

    /** The next message, or null if no whole message has arrived. */
    RendezvousMessage read() throws IOException {
        return messages.readMessage();
    }

    void write(byte[] message) throws IOException {
        messages.write(message);
        askForWrites();
    }

    void flush() throws IOException {
        messages.flush();
        askForWrites();
    }

    private void askForWrites() {
        key.interestOps(messages.isFlushed() ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE);
    }

    boolean isEnding() {
        return ending;
    }

    void close() {
        key.cancel();
        try {
            channel.close();
        } catch (IOException alreadyBroken) {
            // The connection is given up, whether or not closing succeeds.
        }
    }
}
