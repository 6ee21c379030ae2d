package org.ulfmj.rendezvous;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.ulfmj.transport.auth.DialerHandshake;
import org.ulfmj.transport.auth.Handshake;
import org.ulfmj.transport.auth.HandshakeAnswer;
import org.ulfmj.transport.auth.HandshakeException;
import org.ulfmj.transport.auth.HandshakeStream;
import org.ulfmj.transport.auth.Purpose;
import org.ulfmj.transport.auth.RandomBytes;

/** One attempt to reach the launcher: dial, prove, then whole messages. Never waits. Not thread-safe. */
final class ClientConnection {
    private final Caller caller;
    private final SocketChannel channel;
    private final HandshakeStream handshakeStream;
    private final DialerHandshake handshake;
    private final MessageChannel messages;
    private boolean connected;
    private boolean greeted;
    private boolean accepted;

    /** Begins to dial. */
    ClientConnection(Caller caller) throws IOException {
        this.caller = caller;
        channel = SocketChannel.open();
        handshakeStream = new HandshakeStream(channel);
        handshake = new Handshake(caller.secret(), Purpose.CONTROL, caller.optionsHash())
                .dial(RandomBytes.next(Handshake.NONCE_BYTES));
        messages = new MessageChannel(channel);
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

    boolean isAccepted() {
        return accepted;
    }

    /** What the channel is to be watched for: bits of {@link SelectionKey}. */
    int operations() {
        if (!connected) {
            return SelectionKey.OP_CONNECT;
        }
        return messages.isFlushed() ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE;
    }

    /**
     * Goes on with dialing and proving; true once messages may be sent and read.
     *
     * @throws RendezvousException if the launcher proved itself and refused for good
     * @throws IOException if this attempt failed
     */
    boolean advance() throws IOException {
        if (accepted) {
            messages.flush();
            return true;
        }
        connected = connected || channel.finishConnect();
        if (!connected || !handshakeStream.flush()) {
            return false;
        }
        try {
            byte[] message = handshakeStream.read();
            if (message != null && !greeted) {
                byte[] body = ServerConnection.hello(caller.runId(), caller.nonce());
                handshakeStream.write(handshake.hello(message, body));
                greeted = true;
                message = handshakeStream.read();
            }
            if (message != null) {
                accepted = isWelcome(handshake.read(message));
            }
            return accepted;
        } catch (HandshakeException e) {
            throw new RendezvousException(
                    OutReason.REFUSED,
                    "what listens at " + caller.rendezvous() + " is not this job's launcher: " + e.getMessage());
        }
    }

    private boolean isWelcome(HandshakeAnswer answer) {
        if (answer.isAccepted()) {
            return true;
        }
        throw new RendezvousException(OutReason.REFUSED, "the launcher refused this process: " + answer.text());
    }

    /** The next message, or null if there is none now. */
    RendezvousMessage read() throws IOException {
        return messages.readMessage();
    }

    void write(RendezvousMessage message) throws IOException {
        messages.write(RendezvousCodec.encode(message));
    }

    boolean isFlushed() {
        return messages.isFlushed();
    }

    void close() {
        try {
            channel.close();
        } catch (IOException alreadyBroken) {
            // The connection is given up, whether or not closing succeeds.
        }
    }
}
