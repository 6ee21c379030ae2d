package examples;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.ulfmj.transport.auth.Handshake;
import org.ulfmj.transport.auth.HandshakeException;
import org.ulfmj.transport.auth.HandshakeStream;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.auth.Purpose;
import org.ulfmj.transport.auth.RandomBytes;

/**
 * A stranger without the job's secret at one door (listening address) of a job. It keeps all its connections open, and
 * finds out whether the job closes them.
 */
final class Intruder implements AutoCloseable {
    private static final long PAUSE_NS = 2_000_000;

    private final SocketAddress door;
    private final List<SocketChannel> open = new ArrayList<>();

    Intruder(SocketAddress door) {
        this.door = door;
    }

    private SocketChannel call() throws IOException {
        SocketChannel channel = door instanceof UnixDomainSocketAddress
                ? SocketChannel.open(StandardProtocolFamily.UNIX)
                : SocketChannel.open();
        open.add(channel);
        channel.connect(door);
        return channel;
    }

    /** Opens a connection and sends on it as many of 100,000 random bytes as the connection takes at once. */
    void sendGarbage(long seed) throws IOException {
        byte[] garbage = new byte[100_000];
        new SplittableRandom(seed).nextBytes(garbage);
        send(garbage);
    }

    /** Sends message lengths that no message can have, each on a new connection. */
    void sendHugeLengths() throws IOException {
        send(new byte[] {-1, -1, -1, -1});
        send(new byte[] {-1, -1, -1, 0x7f, 2, 0, 0, 0});
        send(new byte[] {0, 0, 0, 0});
    }

    /** Sends the beginning of a valid message on a connection, and then nothing more; does so on two connections. */
    void sendHalfAHello() throws IOException {
        send(new byte[] {100, 0, 2, 1, 0, 0, 0});
        send(new byte[] {100});
    }

    /** Answers the door's challenge with a HELLO that has the right form, but is made with another secret. */
    void sendForgedHello(Purpose purpose) throws IOException {
        SocketChannel channel = call();
        HandshakeStream stream = new HandshakeStream(channel);
        try {
            byte[] challenge = stream.read();
            Handshake handshake = new Handshake(JobSecret.random(), purpose, 0);
            stream.write(handshake.dial(RandomBytes.next(Handshake.NONCE_BYTES)).hello(challenge, new byte[40]));
        } catch (HandshakeException e) {
            throw new IOException("the door gave no challenge", e);
        }
    }

    /** Sends the door's own challenge back to the door. */
    void reflect() throws IOException {
        SocketChannel channel = call();
        ByteBuffer challenge =
                ByteBuffer.allocate(2 + 1 + Handshake.NONCE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        while (challenge.hasRemaining()) {
            if (channel.read(challenge) < 0) {
                throw new IOException("the door gave no challenge");
            }
        }
        channel.write(challenge.flip());
    }

    /** Opens this many connections, and sends nothing on them. */
    void hold(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            call();
        }
    }

    private void send(byte... bytes) throws IOException {
        SocketChannel channel = call();
        channel.configureBlocking(false);
        try {
            channel.write(ByteBuffer.wrap(bytes));
        } catch (IOException cutOffAlready) {
            // Before the last byte was written.
        }
    }

    /** Waits, for at most this time, until the job has closed all connections. Returns how many are still open. */
    int awaitCutOff(long seconds) throws IOException {
        long boundNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        ByteBuffer heard = ByteBuffer.allocate(4096);
        for (SocketChannel channel : open) {
            channel.configureBlocking(false);
        }
        while (!open.isEmpty() && System.nanoTime() < boundNs) {
            open.removeIf(channel -> isCutOff(channel, heard));
            LockSupport.parkNanos(PAUSE_NS);
        }
        return open.size();
    }

    private static boolean isCutOff(SocketChannel channel, ByteBuffer heard) {
        try {
            if (channel.read(heard.clear()) >= 0) {
                return false;
            }
            channel.close();
            return true;
        } catch (IOException reset) {
            return true;
        }
    }

    @Override
    public String toString() {
        return "stranger at " + (door instanceof InetSocketAddress tcp ? "port " + tcp.getPort() : door.toString());
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel channel : open) {
            channel.close();
        }
    }
}
