package org.ulfmj.transport.lifeline;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.transport.TransportLog;
import org.ulfmj.transport.auth.AcceptorHandshake;
import org.ulfmj.transport.auth.DialerHandshake;
import org.ulfmj.transport.auth.Handshake;
import org.ulfmj.transport.auth.HandshakeAnswer;
import org.ulfmj.transport.auth.HandshakeException;
import org.ulfmj.transport.auth.HandshakeStream;
import org.ulfmj.transport.auth.RandomBytes;
import org.ulfmj.transport.auth.Stranger;
import org.ulfmj.transport.seat.ReadyHandler;
import org.ulfmj.transport.session.LinkHello;

/**
 * The socket of one lifeline. After the handshake, a byte that arrives ends the lifeline just as the end of file does.
 * A standing lifeline that ends is no longer watched, but its socket is closed only later: closing it at once would
 * delay the report of a death.
 */
final class Lifeline implements ReadyHandler, Stranger {
    private enum Phase {
        AWAITING_CHALLENGE,
        AWAITING_ANSWER,
        AWAITING_HELLO,
        STANDING,
        ENDED,
        CLOSED
    }

    private static final byte[] NOTHING = {};

    private final Lifelines owner;
    private final SocketChannel channel;
    private final HandshakeStream stream;
    private final ByteBuffer unexpected = ByteBuffer.allocate(1);
    private SelectionKey key;
    /** The attempts that this socket belongs to, if this rank dials; null at the acceptor. */
    private LifelineDial dial;

    private DialerHandshake dialer;
    private AcceptorHandshake acceptor;
    private ProcessId peer;
    private Phase phase;

    private Lifeline(Lifelines owner, SocketChannel channel, Phase phase) {
        this.owner = owner;
        this.channel = channel;
        this.stream = new HandshakeStream(channel);
        this.phase = phase;
    }

    static Lifeline dial(Lifelines owner, LifelineDial dial, String path) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.configureBlocking(false);
            channel.connect(UnixDomainSocketAddress.of(path));
            if (!channel.finishConnect()) {
                throw new IOException("the lifeline socket " + path + " has no room for another caller");
            }
            Lifeline lifeline = new Lifeline(owner, channel, Phase.AWAITING_CHALLENGE);
            lifeline.dial = dial;
            lifeline.peer = dial.peer().id();
            lifeline.dialer = owner.handshake().dial(RandomBytes.next(Handshake.NONCE_BYTES));
            lifeline.key = owner.seat().register(channel, SelectionKey.OP_READ, lifeline);
            return lifeline;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    static Lifeline accept(Lifelines owner, SocketChannel channel, Handshake handshake) throws IOException {
        try {
            channel.configureBlocking(false);
            Lifeline lifeline = new Lifeline(owner, channel, Phase.AWAITING_HELLO);
            lifeline.acceptor = handshake.accept(RandomBytes.next(Handshake.NONCE_BYTES));
            lifeline.stream.write(lifeline.acceptor.challenge());
            lifeline.key = owner.seat().register(channel, SelectionKey.OP_READ, lifeline);
            return lifeline;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public void onReady(long nowNs) {
        try {
            switch (phase) {
                case AWAITING_CHALLENGE -> readChallenge();
                case AWAITING_ANSWER -> readAnswer();
                case AWAITING_HELLO -> readHello();
                case STANDING -> {
                    if (channel.read(unexpected.clear()) != 0) {
                        end(nowNs);
                    }
                }
                case ENDED, CLOSED -> {
                    // The selector had reported the channel as ready before the lifeline ended; there is nothing to do.
                }
            }
        } catch (IOException | WireFormatException e) {
            end(nowNs);
        } catch (HandshakeException e) {
            if (dial == null) {
                TransportLog.stranger(e.getMessage());
            }
            end(nowNs);
        }
    }

    private void readChallenge() throws IOException, HandshakeException {
        byte[] challenge = stream.read();
        if (challenge != null) {
            LinkHello hello = new LinkHello(owner.self(), dial.peer(), 0, 0);
            stream.write(dialer.hello(challenge, hello.toBytes()));
            phase = Phase.AWAITING_ANSWER;
        }
    }

    private void readAnswer() throws IOException, HandshakeException {
        byte[] message = stream.read();
        if (message != null) {
            HandshakeAnswer answer = dialer.read(message);
            if (!answer.isAccepted()) {
                throw new IOException("rank " + peer + " refuses a lifeline: " + answer.text());
            }
            stand();
        }
    }

    private void readHello() throws IOException, HandshakeException {
        byte[] message = stream.read();
        if (message == null) {
            return;
        }
        byte[] body = acceptor.read(message);
        LinkHello hello = body == null ? null : LinkHello.of(body);
        if (hello == null) {
            stream.write(acceptor.mismatch());
        } else if (owner.isExpected(hello.from(), hello.to())) {
            peer = hello.from().id();
            stream.write(acceptor.accept(NOTHING));
            stand();
            return;
        } else {
            stream.write(acceptor.refuse(NOTHING));
        }
        throw new IOException("lifeline refused");
    }

    private void stand() {
        phase = Phase.STANDING;
        owner.onStanding(this, peer);
    }

    private void end(long nowNs) {
        if (phase == Phase.STANDING) {
            phase = Phase.ENDED;
            owner.seat().watchFor(key, 0);
            owner.onEnded(this, peer);
            return;
        }
        close();
        if (dial != null) {
            dial.onFailed(nowNs);
        } else {
            owner.onStrangerEnded(this);
        }
    }

    @Override
    public void drop() {
        close();
    }

    void close() {
        if (phase != Phase.CLOSED) {
            phase = Phase.CLOSED;
            try {
                channel.close();
            } catch (IOException e) {
                // The socket is not used any more, whether closing it succeeded or not.
            }
            owner.seat().onClosed();
        }
    }
}
