package org.ulfmj.transport.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.util.zip.CRC32C;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameLayout;
import org.ulfmj.transport.auth.DialerHandshake;
import org.ulfmj.transport.auth.Handshake;
import org.ulfmj.transport.auth.HandshakeAnswer;
import org.ulfmj.transport.auth.HandshakeException;
import org.ulfmj.transport.auth.HandshakeStream;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.auth.Purpose;
import org.ulfmj.transport.session.LinkHello;
import org.ulfmj.transport.session.LinkIdentity;

/** The dialing end of a connection, of which a test writes each byte, to send what no rank would send. */
final class RawPeer implements AutoCloseable {
    final SocketChannel channel;
    private final HandshakeStream stream;

    RawPeer(int port) throws IOException {
        channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
        channel.configureBlocking(false);
        stream = new HandshakeStream(channel);
    }

    /** Dials as {@code from} and returns the acceptor's answer; {@code poll} lets the acceptor work. */
    HandshakeAnswer shakeHands(JobSecret secret, long optionsHash, LinkIdentity from, LinkIdentity to, Runnable poll)
            throws IOException, HandshakeException {
        DialerHandshake dialer = new Handshake(secret, Purpose.LINK, optionsHash).dial(new byte[Handshake.NONCE_BYTES]);
        byte[] hello = dialer.hello(await(poll), new LinkHello(from, to, 0, 0).toBytes());
        stream.write(hello);
        return dialer.read(await(poll));
    }

    private byte[] await(Runnable poll) throws IOException, HandshakeException {
        byte[] message = stream.read();
        while (message == null) {
            poll.run();
            message = stream.read();
        }
        return message;
    }

    void write(byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    /** Reads what is there; −1 once the other end has closed or reset the connection. */
    int read(ByteBuffer target) {
        try {
            return channel.read(target);
        } catch (IOException reset) {
            return -1;
        }
    }

    /** A well-formed envelope of a frame. */
    static byte[] envelope(long sequence, long ackUpTo, Frame frame) {
        ByteBuffer bytes = ByteBuffer.allocate(FrameLayout.totalBytes(frame)).order(ByteOrder.LITTLE_ENDIAN);
        FrameLayout.write(frame, bytes);
        return envelope(sequence, ackUpTo, bytes.array());
    }

    /** A well-formed envelope of a frame that does not leave the host: the checksum covers the headers alone. */
    static byte[] envelopeWithin(long sequence, Frame frame) {
        ByteBuffer buffer = ByteBuffer.wrap(envelope(sequence, 0, frame)).order(ByteOrder.LITTLE_ENDIAN);
        int bytes = FrameLayout.totalBytes(frame);
        LinkEnvelope.begin(buffer, 0, LinkEnvelope.DATA, LinkEnvelope.FLAG_HEADERS_CHECKED, bytes);
        LinkEnvelope.finish(buffer, buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN), 0, sequence, 0, new CRC32C());
        return buffer.array();
    }

    /** A well-formed envelope of any bytes. */
    static byte[] envelope(long sequence, long ackUpTo, byte[] frame) {
        ByteBuffer buffer = ByteBuffer.allocate(LinkEnvelope.padded(LinkEnvelope.BYTES + frame.length))
                .order(ByteOrder.LITTLE_ENDIAN);
        LinkEnvelope.begin(buffer, 0, LinkEnvelope.DATA, 0, frame.length);
        buffer.put(LinkEnvelope.BYTES, frame);
        buffer.clear();
        LinkEnvelope.finish(
                buffer, buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN), 0, sequence, ackUpTo, new CRC32C());
        return buffer.array();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
