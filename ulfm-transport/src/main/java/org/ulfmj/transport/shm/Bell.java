package org.ulfmj.transport.shm;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import org.ulfmj.transport.seat.ChannelWatch;
import org.ulfmj.transport.seat.SeatSelector;

/**
 * Wakes ranks that sleep in their selector, by a datagram to a port of the loopback address; this rank is woken in the
 * same way. The content of a datagram is not used, so a stranger's datagram can only end a sleep. There is no
 * connection that must be made or proved, or that could be lost. A lost datagram costs a delay only, because every
 * sleep is short. Under the engine lock.
 */
final class Bell implements Runnable, AutoCloseable {
    private static final int DRAINED_AT_ONCE = 64;

    private final DatagramChannel channel;
    private final ChannelWatch watch;
    private final int port;
    private final ByteBuffer out = ByteBuffer.allocateDirect(1);
    private final ByteBuffer in = ByteBuffer.allocateDirect(1);

    Bell(SeatSelector seat) throws IOException {
        channel = DatagramChannel.open(StandardProtocolFamily.INET);
        try {
            channel.configureBlocking(false);
            channel.bind(new InetSocketAddress(loopback(), 0));
            port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
            watch = seat.watch(channel, SelectionKey.OP_READ, this);
        } catch (IOException failed) {
            channel.close();
            throw failed;
        }
    }

    /** The loopback address, given as four bytes: a name would load the resolver. */
    private static InetAddress loopback() throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }

    int port() {
        return port;
    }

    static InetSocketAddress addressOf(int port) throws IOException {
        return new InetSocketAddress(loopback(), port);
    }

    /** Wakes the rank whose bell has this address, if it sleeps. */
    void ring(InetSocketAddress other) {
        try {
            channel.send(out.clear(), other);
        } catch (IOException e) {
            // If the ring is lost, the sleep of the other rank ends soon by itself.
        }
    }

    /** Takes datagrams that have arrived from the channel, at most {@link #DRAINED_AT_ONCE}. */
    @Override
    public void run() {
        try {
            for (int i = 0; i < DRAINED_AT_ONCE && channel.receive(in.clear()) != null; i++) {
                // The content of a datagram is not used.
            }
        } catch (IOException e) {
            // The system may report that an earlier datagram of this rank found no receiver.
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // The channel is not used any more, whether closing it succeeded or not.
        }
        watch.onClosed();
    }
}
